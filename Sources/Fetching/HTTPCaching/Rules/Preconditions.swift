import Base
import FoundationEssentials
import HTTPTypes

/// The evaluation of the conditions of a request against a stored response (RFC 9111 §4.3.2, RFC 9110 §13).
enum Preconditions {
    /// Returns whether a request has conditions that only the origin can evaluate.
    static func areForOrigin(_ fields: HTTPFields) -> Bool {
        fields.contains(.ifMatch) || fields.contains(.ifUnmodifiedSince)
    }

    /// Returns whether the caller already has the stored response, so that the answer is 304.
    static func hasCurrent(_ fields: HTTPFields, _ stored: StoredResponse) -> Bool {
        guard StatusRules.isSelected(stored.head.status) else { return false }
        if fields.contains(.ifNoneMatch) {
            let lines = fields[values: .ifNoneMatch]
            guard ListField.elements(lines, hasEscapes: false) != ["*"] else { return true }
            guard let tag = EntityTag(stored.head.fields) else { return false }
            return EntityTag.list(lines).contains { $0.matchesWeakly(tag) }
        }
        guard let text = fields[values: .ifModifiedSince].first,
            let date = HTTPDate.read(text, now: stored.responseTime)
        else { return false }
        let changed =
            stored.head.date(.lastModified, received: stored.responseTime)
            ?? stored.head.date(.date, received: stored.responseTime) ?? stored.responseTime
        return changed <= date
    }

    /// Returns whether `Range` applies. Otherwise the request is for the whole representation (RFC 9110 §13.1.5).
    static func rangeApplies(_ fields: HTTPFields, _ stored: StoredResponse) -> Bool {
        guard let text = fields[values: .ifRange].first else { return true }
        if let date = HTTPDate.read(text, now: stored.responseTime) {
            return date == Validators.strongDate(stored.head, received: stored.responseTime)
        }
        guard let tag = EntityTag(text), let own = EntityTag(stored.head.fields) else { return false }
        return tag.matchesStrongly(own)
    }

    static func removed(from fields: HTTPFields) -> HTTPFields {
        fields.filtered { $0 != .ifNoneMatch && $0 != .ifModifiedSince }
    }
}

/// The comparison of validators, which shows whether two responses have the same representation (RFC 9110 §8.8).
enum Validators {
    /// Returns whether strong validators prove that two responses have the same bytes (RFC 9111 §3.4).
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

    static func isAny(in fields: HTTPFields) -> Bool { EntityTag(fields) != nil || fields.contains(.lastModified) }

    /// Returns `Last-Modified` if it is a strong validator: it must be at least a minute before `Date` (RFC 9110
    /// §8.8.2.2). The representation could otherwise have changed twice within the same second.
    static func strongDate(_ head: ResponseHead, received: Date) -> Date? {
        guard let changed = head.date(.lastModified, received: received),
            let date = head.date(.date, received: received), date.timeIntervalSince(changed) >= 60
        else { return nil }
        return changed
    }
}
