import FoundationEssentials
import HTTPTypes

/// The comparison of validators, which shows whether two responses have the same representation (RFC 9110 §8.8).
enum Validators {
    /// Returns whether strong validators prove that two responses have the same bytes, so that parts can be combined
    /// (RFC 9111 §3.4).
    static func matchStrongly(_ one: StoredResponse, _ head: ResponseHead, received: Date) -> Bool {
        if let tag = EntityTag(one.head.fields), let other = EntityTag(head.fields) {
            return tag.matchesStrongly(other)
        }
        // If only one response has an entity tag, the two cannot be compared.
        guard !one.head.fields.contains(.eTag), !head.fields.contains(.eTag),
            let date = strongDate(one.head, received: one.responseTime)
        else { return false }
        return date == strongDate(head, received: received)
    }

    static func hasStrong(_ head: ResponseHead, received: Date) -> Bool {
        EntityTag(head.fields).map { !$0.isWeak } ?? (strongDate(head, received: received) != nil)
    }

    /// Returns the validator for `If-Range`: the strong entity tag, or the date as it was sent (RFC 9110 §13.1.5). The
    /// result is `nil` if there is no strong validator.
    static func strongText(_ head: ResponseHead, received: Date) -> String? {
        if let tag = EntityTag(head.fields) { return tag.isWeak ? nil : tag.text }
        return strongDate(head, received: received) == nil ? nil : head.fields[values: .lastModified].first
    }

    static func isAny(in fields: HTTPFields) -> Bool {
        EntityTag(fields) != nil || fields.contains(.lastModified)
    }

    /// Returns `Last-Modified` if it is a strong validator: it must be at least a minute before `Date` (RFC 9110
    /// §8.8.2.2). The representation could otherwise have changed twice within the same second.
    static func strongDate(_ head: ResponseHead, received: Date) -> Date? {
        guard let changed = head.date(.lastModified, received: received),
            let date = head.date(.date, received: received), date.timeIntervalSince(changed) >= 60
        else { return nil }
        return changed
    }
}
