import FoundationEssentials
import HTTPTypes
import Primitives

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

    /// Returns whether `Range` applies. If `Range` does not apply, the request is for the whole representation (RFC
    /// 9110 §13.1.5).
    static func rangeApplies(_ fields: HTTPFields, _ stored: StoredResponse) -> Bool {
        guard let text = fields[values: .ifRange].first else { return true }
        if let date = HTTPDate.read(text, now: stored.responseTime) {
            return date == Validators.strongDate(stored.head, received: stored.responseTime)
        }
        guard let tag = EntityTag(text), let own = EntityTag(stored.head.fields) else { return false }
        return tag.matchesStrongly(own)
    }

    static func removed(from fields: HTTPFields) -> HTTPFields {
        var fields = fields
        for name in [HTTPField.Name.ifNoneMatch, .ifModifiedSince] { fields[name] = nil }
        return fields
    }
}
