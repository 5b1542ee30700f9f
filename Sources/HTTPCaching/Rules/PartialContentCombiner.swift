import FoundationEssentials
import HTTPTypes

/// How a stored part and one that has come are put together (RFC 9111 §3.4).
struct PartialContentCombiner: Sendable, Equatable {
    /// Which positions are taken from which, in their order.
    enum Piece: Sendable, Equatable {
        case stored(Range<Int>)
        case new(Range<Int>)
    }

    var pieces: [Piece]
    var bytes: Range<Int>
    var completeLength: Int?

    /// `nil` where the two are not known to be of the same bytes, leave a gap, or differ about the length.
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

    /// The head of what is joined: newer fields, and what is true of the bytes.
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
