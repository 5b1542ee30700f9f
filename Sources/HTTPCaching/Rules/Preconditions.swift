import FoundationEssentials
import HTTPTypes

/// What a caller makes its request depend on, judged by a stored response (RFC 9111 §4.3.2, RFC 9110 §13).
enum Preconditions {
    /// Conditions that only the origin can judge.
    static func areForOrigin(_ fields: HTTPFields) -> Bool {
        fields.contains(.ifMatch) || fields.contains(.ifUnmodifiedSince)
    }

    /// The caller has it already: 304.
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

    /// Whether `Range` counts; otherwise the whole is asked for (RFC 9110 §13.1.5).
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
