import HTTPTypes

/// What of a stored response a request asks for (RFC 9110 §14.2).
enum Coverage: Sendable, Equatable {
    case whole
    /// Positions in the representation.
    case part(Range<Int>)
    /// 416: nothing of the representation, which has this length.
    case unsatisfiable(length: Int)

    /// `nil` where what is stored does not suffice.
    static func of(_ stored: StoredResponse, for request: OriginRequest) -> Coverage? {
        // Ranges are for GET (§14.2), and for what conditions are about.
        guard request.method == .get, StatusRules.isSelected(stored.head.status), let range = ByteRange(request.fields),
            Preconditions.rangeApplies(request.fields, stored)
        else { return stored.isWhole ? .whole : nil }
        if let length = stored.completeLength {
            guard let bytes = range.resolved(length: length) else { return .unsatisfiable(length: length) }
            return contains(stored, bytes) ? .part(bytes) : nil
        }
        // Without the length, a range is known that names both its ends.
        guard case .closed(let first, let last) = range, contains(stored, first..<(last + 1)) else { return nil }
        return .part(first..<(last + 1))
    }

    private static func contains(_ stored: StoredResponse, _ bytes: Range<Int>) -> Bool {
        stored.storedBytes.lowerBound <= bytes.lowerBound && bytes.upperBound <= stored.storedBytes.upperBound
    }
}
