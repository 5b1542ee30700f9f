import FoundationEssentials
import HTTPTypes

/// By what two responses are known to be the same representation (RFC 9110 §8.8).
enum Validators {
    /// Whether the two have the same bytes: that is what parts may be put together by (RFC 9111 §3.4).
    static func matchStrongly(_ one: StoredResponse, _ head: ResponseHead, received: Date) -> Bool {
        if let tag = EntityTag(one.head.fields), let other = EntityTag(head.fields) {
            return tag.matchesStrongly(other)
        }
        // With a tag on one side only there is no saying.
        guard !one.head.fields.contains(.eTag), !head.fields.contains(.eTag),
            let date = strongDate(one.head, received: one.responseTime)
        else { return false }
        return date == strongDate(head, received: received)
    }

    static func hasStrong(_ head: ResponseHead, received: Date) -> Bool {
        EntityTag(head.fields).map { !$0.isWeak } ?? (strongDate(head, received: received) != nil)
    }

    /// For `If-Range`: the strong tag, or the date as it was sent (RFC 9110 §13.1.5).
    static func strongText(_ head: ResponseHead, received: Date) -> String? {
        if let tag = EntityTag(head.fields) { return tag.isWeak ? nil : tag.text }
        return strongDate(head, received: received) == nil ? nil : head.fields[values: .lastModified].first
    }

    static func isAny(in fields: HTTPFields) -> Bool {
        EntityTag(fields) != nil || fields.contains(.lastModified)
    }

    /// `Last-Modified`, where nothing can have changed twice in its second: a minute lies between it and `Date`
    /// (RFC 9110 §8.8.2.2).
    static func strongDate(_ head: ResponseHead, received: Date) -> Date? {
        guard let changed = head.date(.lastModified, received: received),
            let date = head.date(.date, received: received), date.timeIntervalSince(changed) >= 60
        else { return nil }
        return changed
    }
}
