import HTTPTypes

/// The part of a stored response that answers a request (RFC 9110 §14.2).
enum Coverage: Sendable, Equatable {
    case whole
    /// The positions of the requested bytes in the representation.
    case part(Range<Int>)
    /// A range outside the representation (status 416), whose complete length is given in bytes.
    case unsatisfiable(length: Int)

    /// Returns the part that answers a request; `nil` if the stored bytes do not suffice.
    static func of(_ stored: StoredResponse, for request: OriginRequest) -> Coverage? {
        // A range applies only to GET (RFC 9110 §14.2), and only to the statuses to which conditions apply.
        guard request.method == .get, StatusRules.isSelected(stored.head.status), let range = ByteRange(request.fields),
            Preconditions.rangeApplies(request.fields, stored)
        else { return stored.isWhole ? .whole : nil }
        if let length = stored.completeLength {
            guard let bytes = range.resolved(length: length) else { return .unsatisfiable(length: length) }
            return contains(stored, bytes) ? .part(bytes) : nil
        }
        // If the complete length is unknown, only a range with both ends can be located.
        guard case .closed(let first, let last) = range, contains(stored, first..<(last + 1)) else { return nil }
        return .part(first..<(last + 1))
    }

    private static func contains(_ stored: StoredResponse, _ bytes: Range<Int>) -> Bool {
        stored.storedBytes.lowerBound <= bytes.lowerBound && bytes.upperBound <= stored.storedBytes.upperBound
    }
}
