import FoundationEssentials
import HTTPTypes

/// The bytes of a representation that a response contributes to the store (RFC 9111 §3.3).
struct StoredRange: Sendable, Equatable {
    var bytes: Range<Int>
    var completeLength: Int?

    init(bytes: Range<Int>, completeLength: Int?) {
        self.bytes = bytes
        self.completeLength = completeLength
    }

    /// Returns `nil` if the bytes may not be stored: the body does not fit its range, or nothing can be combined with
    /// the part.
    init?(of response: OriginResponse) {
        let head = response.head
        let count = response.body.bytes.count
        if head.status == 206 {
            guard let range = ContentRange(head.fields), count > 0 else { return nil }
            // If a complete body is longer or shorter than its range, the body or the range is wrong.
            guard response.isComplete ? count == range.bytes.count : count < range.bytes.count else { return nil }
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
