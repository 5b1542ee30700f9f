import FoundationEssentials
import HTTPTypes

/// The use of a 304 response (RFC 9111 §4.3.4), and the replacement of stored fields by newer fields (RFC 9111 §3.2).
enum Freshening {
    /// Returns the stored responses that a 304 confirms, newest first. `asked` has the stored responses that the
    /// conditional request named, newest first.
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
        // Many 304 responses have no validator. If the request asked about only one response, the 304 confirms that
        // response.
        return asked.count == 1 ? asked : []
    }

    /// Returns a stored response with the fields of a newer response.
    ///
    /// The length, the coding and the range remain, because they describe the stored bytes, which do not change.
    static func updated(
        _ stored: StoredResponse, by response: OriginResponse, to request: OriginRequest
    ) -> StoredResponse {
        let new = ConnectionFields.removed(from: response.head.fields)
        let lasting: Set<String> = ["content-length", "content-encoding", "content-range"]
        let replaced = Set(new.map(\.name.canonicalName)).subtracting(lasting)
        // `Age` and `Date` of the older message are not valid for the newer message.
        var fields = stored.head.fields.filtered {
            !replaced.contains($0.canonicalName) && $0 != .age && $0 != .date
        }
        for field in new where replaced.contains(field.name.canonicalName) { fields.append(field) }
        var result = stored
        result.head.fields = DateField.added(to: fields, received: response.responseTime)
        result.requestTime = response.requestTime
        result.responseTime = response.responseTime
        if VarySelection.names(in: result.head) != VarySelection.names(in: stored.head) {
            result.requestFields = VarySelection.selecting(request.fields, for: result.head)
        }
        return result
    }
}

/// The effect of a response to `HEAD` on a stored response to `GET` (RFC 9111 §4.3.5).
enum HeadUpdate: Sendable, Equatable {
    /// The representation is the same, and its fields are newer.
    case update
    /// The representation has changed, and the stored response is out of date.
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
