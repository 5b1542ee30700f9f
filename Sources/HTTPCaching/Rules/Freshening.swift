import FoundationEssentials
import HTTPTypes

/// What a 304 says about stored responses (RFC 9111 §4.3.4), and how newer fields take the place of older ones (§3.2).
enum Freshening {
    /// Which of those that the origin was asked about it has confirmed, the newest first.
    static func confirmed(by head: ResponseHead, received: Date, among asked: [StoredResponse]) -> [StoredResponse] {
        if let tag = EntityTag(head.fields) {
            let strong = asked.filter { EntityTag($0.head.fields)?.matchesStrongly(tag) ?? false }
            guard strong.isEmpty else { return strong }
            let weak = tag.isWeak ? asked.filter { EntityTag($0.head.fields)?.matchesWeakly(tag) ?? false } : []
            return Array(weak.prefix(1))
        }
        if let date = head.date(.lastModified, received: received) {
            return Array(asked.filter { $0.head.date(.lastModified, received: received) == date }.prefix(1))
        }
        // Many a 304 has no validator. Where only one response was asked about, it is clear which is meant.
        return asked.count == 1 ? asked : []
    }

    /// The stored response with the fields of a newer one.
    ///
    /// Those that say how the stored bytes are to be read stay, for the bytes do: their length, their coding, their
    /// range.
    static func updated(
        _ stored: StoredResponse, with head: ResponseHead, request: HTTPFields, requestTime: Date, responseTime: Date
    ) -> StoredResponse {
        let new = ConnectionFields.removed(from: head.fields)
        let lasting: Set<String> = ["content-length", "content-encoding", "content-range"]
        let replaced = Set(new.map(\.name.canonicalName)).subtracting(lasting)
        var fields = HTTPFields()
        for field in stored.head.fields where !replaced.contains(field.name.canonicalName) {
            // These are about the older message.
            guard field.name != .age, field.name != .date else { continue }
            fields.append(field)
        }
        for field in new where replaced.contains(field.name.canonicalName) { fields.append(field) }
        var result = stored
        result.head.fields = DateField.added(to: fields, received: responseTime)
        result.requestTime = requestTime
        result.responseTime = responseTime
        if VarySelection.names(in: fields) != VarySelection.names(in: stored.head.fields) {
            result.requestFields = VarySelection.selecting(request, for: result.head)
        }
        return result
    }
}

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
