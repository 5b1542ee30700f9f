extension PathSegments {
    /// Takes the next fault off the path; `nil` where the file begins.
    ///
    /// - Parameter target: the whole request target, which a loop redirects to.
    mutating func nextFault(target: String) throws(OriginPathError) -> Fault? {
        guard let name = first.map(String.init) else { return nil }
        var arguments = self
        _ = arguments.take()
        let fault: Fault
        switch name {
        case "delay": fault = .delay(try arguments.duration(of: name))
        case "drip": fault = .drip(over: try arguments.duration(of: name))
        case "stall": fault = try arguments.stall()
        case "truncate": fault = .cut(Cut(after: try arguments.byteCount(of: name), .close))
        case "reset": fault = .cut(Cut(after: try arguments.byteCount(of: name), .reset))
        case "status": fault = .status(try arguments.number(of: name, in: 200...599, "a status from 200 to 599"))
        case "redirect": fault = try arguments.redirect(target: target)
        case "lie": fault = try arguments.lie()
        case "page": fault = .page
        case "endless": fault = .endless
        case "flaky":
            fault = .flaky(failures: try arguments.number(of: name, in: 0...1_000_000, "a number of failures"))
        case "bomb": fault = try arguments.bomb()
        default: return nil
        }
        self = arguments
        return fault
    }

    private mutating func stall() throws(OriginPathError) -> Fault {
        switch take() {
        case "headers": return .stallHeaders
        case "after": return .cut(Cut(after: try byteCount(of: "stall/after"), .stall))
        case let other:
            throw .badArgument(fault: "stall", argument: String(other), expected: "stall/headers or stall/after/1000")
        }
    }

    private mutating func lie() throws(OriginPathError) -> Fault {
        switch take() {
        case "type": return .lyingType
        case "length": return .lyingLength
        case let other:
            throw .badArgument(fault: "lie", argument: String(other), expected: "lie/type or lie/length")
        }
    }

    private mutating func bomb() throws(OriginPathError) -> Fault {
        let name = String(take())
        guard let bomb = Bomb(rawValue: name) else {
            throw .badArgument(fault: "bomb", argument: name, expected: "bomb/gzip or bomb/png")
        }
        return .bomb(bomb)
    }

    /// A redirect takes the rest of the path into its `Location`: it is looked at when somebody asks for it.
    private mutating func redirect(target: String) throws(OriginPathError) -> Fault {
        defer { self = PathSegments("") }
        switch first {
        case "loop": return .redirect(to: target)
        case "to":
            _ = take()
            let location = try PercentEncoding.decode(rest.dropFirst())
            // A line break here would be a header of the client's making.
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

    private mutating func duration(of fault: String) throws(OriginPathError) -> Duration {
        let text = take()
        guard let duration = Duration(faultArgument: text) else {
            throw .badArgument(
                fault: fault, argument: String(text), expected: "500ms, 2s or 1.5s, at most 3600s")
        }
        return duration
    }

    private mutating func byteCount(of fault: String) throws(OriginPathError) -> Int {
        try number(of: fault, in: 0...999_999_999_999, "a number of body bytes")
    }

    private mutating func number(
        of fault: String, in range: ClosedRange<Int>, _ expected: String
    ) throws(OriginPathError) -> Int {
        let text = take()
        guard let number = Int(decimalDigits: text, atMost: 12), range.contains(number) else {
            throw .badArgument(fault: fault, argument: String(text), expected: expected)
        }
        return number
    }
}
