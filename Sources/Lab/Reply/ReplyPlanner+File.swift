import NIOHTTP1

extension ReplyPlanner {
    /// The reply with a file: whole, in part, or not at all, as the request's conditions have it.
    func file(
        at path: String, _ serving: Serving, _ manner: Manner, to request: HTTPRequestHead, attempt: Int
    ) -> Reply {
        do throws(FileRefusal) {
            let representation = try representation(of: path, serving, attempt: attempt)
            let size = representation.body.count
            // A client judges by the fields that it was shown.
            let outcome = RequestConditions(of: request).outcome(for: manner.edited(representation.fields), size: size)
            return representation.reply(outcome.answered(in: serving.ranges, size: size, to: request.method))
        } catch {
            switch error {
            case .notFound: return .page(.notFound, "There is no such page.")
            case .unreadable(let errno):
                return .page(.internalServerError, "The file cannot be read (errno \(errno)).")
            case .tooLargeToEncode(let limit):
                return .page(.internalServerError, "Files of more than \(limit >> 20) MiB are not encoded here.")
            }
        }
    }

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
    /// The outcome where ranges are handled in that manner.
    fileprivate func answered(in manner: RangeManner, size: Int, to method: HTTPMethod) -> Self {
        switch (manner, self) {
        case (.ignored, .part), (.ignored, .unsatisfiableRange): .whole
        case (.wrong, .part(let range)): .part(range.neighbour(below: size))
        case (.wrong, .whole) where method == .GET && size > 0: .part((0..<size).neighbour(below: size))
        default: self
        }
    }
}

extension Range<Int> {
    /// Another range of `0..<size`: this one without its first byte; where it has no other, the byte beside it. The
    /// only byte there is has no neighbour, and stays.
    fileprivate func neighbour(below size: Int) -> Self {
        if count > 1 { return lowerBound + 1..<upperBound }
        if upperBound < size { return lowerBound + 1..<upperBound + 1 }
        return lowerBound > 0 ? lowerBound - 1..<upperBound - 1 : self
    }
}
