import FoundationEssentials
import HTTPTypes

/// What the answer to a `HEAD` says about a stored answer to a `GET` (RFC 9111 §4.3.5).
enum HeadUpdate: Sendable, Equatable {
    /// The same representation: its fields are newer.
    case update
    /// Another: what is stored is out of date.
    case invalidate

    static func judge(_ stored: StoredResponse, _ head: ResponseHead, received: Date) -> HeadUpdate {
        if let tag = EntityTag(head.fields) {
            guard let own = EntityTag(stored.head.fields), own.matchesWeakly(tag) else { return .invalidate }
        }
        if let date = head.date(.lastModified, received: received) {
            guard stored.head.date(.lastModified, received: received) == date else { return .invalidate }
        }
        if let text = head.fields[.contentLength], let length = ByteCount.read(text) {
            guard length == stored.completeLength ?? length else { return .invalidate }
        }
        return .update
    }
}
