import NIOHTTP1
import OriginFaults

extension ReplyPlanner {
    /// Makes the reply to a request for a file. The conditions and the range decide whether the reply has the whole
    /// file, a part, or no body (RFC 9110, sections 13 and 14).
    func file(
        at path: String, _ serving: Serving, _ options: ReplyOptions, to request: HTTPRequestHead, attempt: Int
    ) -> Reply {
        do throws(FileRefusal) {
            let representation = try representation(of: path, serving, attempt: attempt)
            let size = representation.body.count
            // Conditions are compared with the headers after the changes by faults, which a client knows.
            let outcome = RequestConditions(of: request).outcome(for: options.edited(representation.fields), size: size)
            return representation.reply(outcome.answered(in: serving.ranges, size: size, to: request.method))
        } catch {
            switch error {
            case .notFound: return missing(path)
            case .unreadable(let errno):
                return .page(.internalServerError, "The file cannot be read (errno \(errno)).")
            case .tooLargeToEncode(let limit):
                return .page(.internalServerError, "Files of more than \(limit >> 20) MiB are not encoded here.")
            }
        }
    }

    /// Makes the reply to a path without a file. If the first segment misspells a fault, the reply is a refusal, so
    /// that a typing error is not taken for a 404.
    private func missing(_ path: String) -> Reply {
        let segment = String(path.prefix { $0 != "/" })
        let meant = FaultReference.entries(misspelt: segment)
        guard !meant.isEmpty, !directory.has(segment) else { return .page(.notFound, "There is no such page.") }
        return .refusal(.badRequest, OriginPathError.misspeltFault(segment, meant: meant.map(\.path)).description)
    }

    /// Opens a file and applies the faults that change its bytes: a replacement, and a content coding.
    private func representation(
        of path: String, _ serving: Serving, attempt: Int
    ) throws(FileRefusal) -> Representation {
        let change = serving.change.flatMap { attempt > $0.requests ? $0 : nil }
        let file = try directory.file(at: change?.replacement ?? path)
        var representation = Representation(file)
        if let change, change.replacement == nil { representation.change(file) }
        if let coding = serving.coding { try representation.encode(as: coding) }
        return representation
    }
}

extension RequestConditions.Outcome {
    /// Returns the outcome of a server that handles ranges in this manner. `ignored` always sends the whole file.
    /// `wrong` sends another range than the requested one, also in response to a GET without a range.
    fileprivate func answered(in options: RangeSupport, size: Int, to method: HTTPMethod) -> Self {
        switch (options, self) {
        case (.ignored, .part), (.ignored, .unsatisfiableRange): .whole
        case (.wrong, .part(let range)): .part(range.neighbour(below: size))
        case (.wrong, .whole) where method == .GET && size > 0: .part((0..<size).neighbour(below: size))
        default: self
        }
    }
}

extension Range<Int> {
    /// Returns another range within `0..<size`: this range without its first byte, or the byte next to a range of one
    /// byte. A file of one byte has no other range, so its range is returned unchanged.
    fileprivate func neighbour(below size: Int) -> Self {
        if count > 1 { return lowerBound + 1..<upperBound }
        if upperBound < size { return lowerBound + 1..<upperBound + 1 }
        return lowerBound > 0 ? lowerBound - 1..<upperBound - 1 : self
    }
}
