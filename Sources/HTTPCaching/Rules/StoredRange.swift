import FoundationEssentials
import HTTPTypes

/// Which bytes of a representation a response brings, as far as they may be stored (RFC 9111 §3.3).
struct StoredRange: Sendable, Equatable {
    var bytes: Range<Int>
    var completeLength: Int?

    init(bytes: Range<Int>, completeLength: Int?) {
        self.bytes = bytes
        self.completeLength = completeLength
    }

    /// `nil` where they may not be: a range that is not what it says, or a part that nothing could be joined to.
    init?(of response: OriginResponse) {
        let head = response.head
        let count = response.body.bytes.count
        if head.status == 206 {
            guard let range = ContentRange(head.fields), count > 0 else { return nil }
            // A message that is whole and yet longer or shorter than its range is wrong about one of the two.
            guard response.isComplete ? count == range.bytes.count : count < range.bytes.count else { return nil }
            bytes = range.bytes.lowerBound..<(range.bytes.lowerBound + count)
            completeLength = range.completeLength
        } else if response.isComplete {
            bytes = 0..<count
            completeLength = count
        } else {
            // Where it was decoded, the bytes that are here are not those that a range would count.
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
