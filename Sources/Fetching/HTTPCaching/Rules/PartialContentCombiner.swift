import FoundationEssentials
import HTTPTypes

/// The plan for combining a stored part with a new part of the same representation (RFC 9111 §3.4).
struct PartialContentCombiner: Sendable, Equatable {
    /// A range of positions, and the part from which its bytes are taken.
    enum Piece: Sendable, Equatable {
        case stored(Range<Int>)
        case new(Range<Int>)
    }

    var pieces: [Piece]
    var bytes: Range<Int>
    var completeLength: Int?

    /// Returns `nil` if the parts have different representations or complete lengths, or leave a gap.
    init?(_ stored: StoredResponse, _ extent: StoredRange, _ head: ResponseHead, received: Date) {
        guard StatusRules.isSelected(stored.head.status), Validators.matchStrongly(stored, head, received: received),
            !stored.head.fields.contains(.contentEncoding), !head.fields.contains(.contentEncoding)
        else { return nil }
        let old = stored.storedBytes
        let new = extent.bytes
        guard new.lowerBound <= old.upperBound, old.lowerBound <= new.upperBound else { return nil }
        if let one = stored.completeLength, let other = extent.completeLength, one != other { return nil }
        completeLength = stored.completeLength ?? extent.completeLength
        bytes = min(old.lowerBound, new.lowerBound)..<max(old.upperBound, new.upperBound)
        guard bytes.upperBound <= completeLength ?? .max else { return nil }
        pieces = [
            .stored(old.lowerBound..<max(old.lowerBound, min(old.upperBound, new.lowerBound))),
            .new(new),
            .stored(min(old.upperBound, max(old.lowerBound, new.upperBound))..<old.upperBound),
        ].filter {
            switch $0 {
            case .stored(let range), .new(let range): !range.isEmpty
            }
        }
    }

    var isWhole: Bool { bytes.lowerBound == 0 && bytes.upperBound == completeLength }

    /// Returns the headers of the combined response: the newer fields, with the range and length of the combined bytes.
    func head(_ updated: ResponseHead) -> ResponseHead {
        var head = updated
        head.fields[.contentLength] = String(bytes.count)
        if isWhole {
            head.status = 200
            head.fields[.contentRange] = nil
        } else {
            head.status = 206
            head.fields[.contentRange] = ContentRange(bytes: bytes, completeLength: completeLength).text
        }
        return head
    }
}

/// The bytes of a representation that a response contributes to the store (RFC 9111 §3.3).
struct StoredRange: Sendable, Equatable {
    var bytes: Range<Int>
    var completeLength: Int?
}

extension StoredRange {
    /// Returns `nil` if the body does not fit its range, or if nothing can be combined with the part.
    init?(of response: OriginResponse) {
        let head = response.head
        let count = response.body.bytes.count
        if head.status == 206 {
            // If a complete body is longer or shorter than its range, the body or the range is wrong.
            guard let range = ContentRange(head.fields), count > 0,
                response.isComplete ? count == range.bytes.count : count < range.bytes.count
            else { return nil }
            bytes = range.bytes.lowerBound..<(range.bytes.lowerBound + count)
            completeLength = range.completeLength
        } else if response.isComplete {
            bytes = 0..<count
            completeLength = count
        } else {
            // A body that was decoded has other byte positions than a range of the encoded representation.
            guard head.status == 200, count > 0, !head.fields.contains(.contentEncoding),
                Validators.hasStrong(head, received: response.responseTime)
            else { return nil }
            bytes = 0..<count
            completeLength = head.fields[.contentLength].flatMap { ByteCount.read($0) }.flatMap {
                $0 > count ? $0 : nil
            }
        }
    }
}
