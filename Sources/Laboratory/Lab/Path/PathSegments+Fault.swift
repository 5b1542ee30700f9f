extension PathSegments {
    /// Parses the next fault with its arguments, and removes their segments from the path.
    ///
    /// - Parameter target: The whole request target, to which `/redirect/loop/` redirects.
    /// - Returns: `nil` if the next segment is not the name of a fault, but the first segment of the file's path.
    mutating func nextFault(target: String) throws(OriginPathError) -> Fault? {
        guard let name = first.map(String.init) else { return nil }
        var arguments = self
        _ = arguments.take()
        let fault: Fault
        switch name {
        case "delay": fault = try arguments.delay()
        case "chance": fault = .chance(percent: try arguments.number(of: name, in: 0...100, "a percentage, 0 to 100"))
        case "dribble":
            let pieces = try arguments.number(of: name, in: 1...100_000, "a number of pieces, then a duration")
            fault = .dribble(pieces: pieces, over: try arguments.duration(of: "\(name)/\(pieces)"))
        case "slices":
            fault = .slices(bytes: try arguments.number(of: name, in: 1...65_536, "a number of bytes, 1 to 65536"))
        case "needs": fault = .needs(field: try arguments.fieldName(of: name))
        case "drip": fault = .drip(over: try arguments.duration(of: name))
        case "rate":
            fault = .rate(bytesPerSecond: try arguments.number(of: name, in: 1...1_000_000_000, "bytes a second"))
        case "slow": fault = try arguments.slow()
        case "stall": fault = try arguments.stall()
        case "truncate": fault = .cut(Cut(after: try arguments.offset(of: name), .close))
        case "reset": fault = .cut(Cut(after: try arguments.offset(of: name), .reset))
        case "status": fault = .status(try arguments.status(of: name))
        case "retry-after":
            let seconds = try arguments.number(of: name, in: 0...999_999_999, "a number of seconds, then a status")
            fault = .retryAfter(seconds: seconds, status: try arguments.status(of: "\(name)/\(seconds)"))
        case "redirect": fault = try arguments.redirect(target: target)
        case "lie": fault = try arguments.choice(of: name, ["type": .lyingType, "length": .lyingLength])
        case "page": fault = .page
        case "endless": fault = .endless
        case "flaky":
            fault = .flaky(failures: try arguments.number(of: name, in: 0...1_000_000, "a number of failures"))
        case "bomb":
            fault = try arguments.choice(
                of: name, ["gzip": .bomb(.gzip), "br": .bomb(.br), "zstd": .bomb(.zstd), "png": .bomb(.png)])
        case "header": fault = .field(try arguments.fieldEdit(of: name))
        case "head": fault = try arguments.head()
        case "range": fault = try arguments.choice(of: name, ["wrong": .range(.wrong), "ignored": .range(.ignored)])
        case "changed": fault = try arguments.changed()
        case "encoding":
            fault = try arguments.choice(
                of: name, ["gzip": .encoding(.gzip), "br": .encoding(.br), "zstd": .encoding(.zstd)])
        default: return nil
        }
        self = arguments
        return fault
    }

    private mutating func delay() throws(OriginPathError) -> Fault {
        guard first == "random" else { return .delay(try duration(of: "delay")) }
        _ = take()
        let median = try duration(of: "delay/random")
        return .randomDelay(median: median, sigma: try deviation(of: "delay/random"))
    }

    private mutating func slow() throws(OriginPathError) -> Fault {
        let part = take()
        guard part == "headers" else {
            throw .badArgument(fault: "slow", argument: String(part), expected: "slow/headers/2s")
        }
        return .slowHead(over: try duration(of: "slow/headers"))
    }

    private mutating func stall() throws(OriginPathError) -> Fault {
        switch take() {
        case "headers": return .stallHeaders
        case "after": return .cut(Cut(after: try byteCount(of: "stall/after"), .stall))
        case let other:
            throw .badArgument(fault: "stall", argument: String(other), expected: "stall/headers or stall/after/1000")
        }
    }

    /// Parses a redirect. Its `Location` is the rest of the path, whose faults take effect there.
    private mutating func redirect(target: String) throws(OriginPathError) -> Fault {
        defer { self = PathSegments("") }
        switch first {
        case "loop": return .redirect(to: target)
        case "to":
            _ = take()
            let location = try Self.decode(rest.dropFirst())
            // A line break would let the client add headers to the response.
            guard !location.isEmpty, location.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                throw .badArgument(
                    fault: "redirect/to", argument: String(rest.dropFirst()), expected: "a percent-encoded URL")
            }
            return .redirect(to: location)
        default:
            let hops = try number(of: "redirect", in: 1...1000, "loop, to/URL, or 1 to 1000 hops")
            return .redirect(to: hops == 1 ? rest : "/redirect/\(hops - 1)\(rest)")
        }
    }

    private mutating func head() throws(OriginPathError) -> Fault {
        switch take() {
        case "endless": return .endlessHead
        case "large": return .largeHead(padding: try size(of: "head/large", atMost: Fault.largestPadding))
        case let other:
            throw .badArgument(fault: "head", argument: String(other), expected: "head/endless or head/large/200k")
        }
    }

    private mutating func changed() throws(OriginPathError) -> Fault {
        let requests = try number(of: "changed", in: 0...1_000_000, "a number of requests")
        guard first == "to" else { return .changed(FileChange(after: requests)) }
        _ = take()
        let replacement = try Self.decode(take())
        guard !replacement.isEmpty, replacement.utf8.allSatisfy({ $0 >= 0x20 }) else {
            throw .badArgument(
                fault: "changed/\(requests)/to", argument: replacement, expected: "a percent-encoded path of a file")
        }
        return .changed(FileChange(after: requests, to: replacement))
    }
}
