import FoundationEssentials
import HTTPTypes

/// The stored responses of a key, sorted for one request (RFC 9111 §4, §4.1).
struct StoredSelection: Sendable {
    /// The stored responses that match the request, newest first.
    var matching: [StoredResponse]
    /// The stored response of the newest representation that can answer the request; `nil` without one.
    var chosen: StoredResponse?
    var coverage: Coverage?
    /// The whole responses whose `Vary` fields do not match, newest first. The origin may confirm one of them for this
    /// request (RFC 9111 §4.3.1).
    var others: [StoredResponse]

    /// The maximum number of other responses that a request to the origin names.
    private static let maxOthers = 8

    init(_ stored: [StoredResponse], for request: OriginRequest) {
        let ordered = stored.filter { $0.method == "GET" }.sorted(by: Self.isNewer)
        matching = ordered.filter { VarySelection.matches($0, request.fields) }
        let ids = Set(matching.map(\.id))
        others = Array(
            ordered.filter { $0.isWhole && !ids.contains($0.id) && EntityTag($0.head.fields) != nil }
                .prefix(Self.maxOthers))
        for candidate in matching where isOfNewest(candidate) {
            guard let coverage = Coverage.of(candidate, for: request) else { continue }
            chosen = candidate
            self.coverage = coverage
            break
        }
    }

    /// The stored beginning of the newest representation, if the rest can be combined with it; `nil` otherwise.
    var beginning: StoredResponse? {
        guard let newest = matching.first, chosen == nil, newest.storedBytes.lowerBound == 0,
            !newest.storedBytes.isEmpty, !newest.head.fields.contains(.contentEncoding),
            Validators.hasStrong(newest.head, received: newest.responseTime)
        else { return nil }
        return newest
    }

    /// Returns whether a response has the newest representation. Others are used only if the origin is unreachable.
    private func isOfNewest(_ candidate: StoredResponse) -> Bool {
        guard let newest = matching.first, candidate.id != newest.id else { return true }
        return Validators.matchStrongly(newest, candidate.head, received: candidate.responseTime)
    }

    /// Returns whether one response is newer by `Date` (RFC 9111 §4), or at the same date by its reception.
    private static func isNewer(_ one: StoredResponse, _ other: StoredResponse) -> Bool {
        let dates = (date(one), date(other))
        return dates.0 == dates.1 ? one.responseTime > other.responseTime : dates.0 > dates.1
    }

    private static func date(_ stored: StoredResponse) -> Date {
        stored.head.date(.date, received: stored.responseTime) ?? stored.responseTime
    }
}

/// The part of a stored response that answers a request (RFC 9110 §14.2).
enum Coverage: Sendable, Equatable {
    case whole
    /// The positions of the requested bytes in the representation.
    case part(Range<Int>)
    /// A range outside the representation (status 416), whose complete length is given in bytes.
    case unsatisfiable(length: Int)

    /// Returns the part that answers a request; `nil` if the stored bytes do not suffice.
    static func of(_ stored: StoredResponse, for request: OriginRequest) -> Coverage? {
        // A range applies only to GET (RFC 9110 §14.2), and only to the statuses to which conditions apply.
        guard request.method == .get, StatusRules.isSelected(stored.head.status), let range = ByteRange(request.fields),
            Preconditions.rangeApplies(request.fields, stored)
        else { return stored.isWhole ? .whole : nil }
        if let length = stored.completeLength {
            guard let bytes = range.resolved(length: length) else { return .unsatisfiable(length: length) }
            return stored.storedBytes.contains(bytes) ? .part(bytes) : nil
        }
        // If the complete length is unknown, only a range with both ends can be located.
        guard case .closed(let first, let last) = range, stored.storedBytes.contains(first...last) else { return nil }
        return .part(first..<(last + 1))
    }
}

/// The choice between stored responses with the same URL by the fields that `Vary` names (RFC 9111 §4.1).
enum VarySelection {
    /// Returns the names in `Vary`; `nil` for `*` or an invalid name, with which no later request can match.
    static func names(in head: ResponseHead) -> [HTTPField.Name]? {
        var names: [HTTPField.Name] = []
        for element in ListField.elements(head.values(of: .vary)) {
            guard element != "*", let name = HTTPField.Name(element) else { return nil }
            names.append(name)
        }
        return names
    }

    /// Returns the fields of a request that are stored with a response: only the fields that its `Vary` names.
    static func selecting(_ fields: HTTPFields, for head: ResponseHead) -> HTTPFields {
        let names = Set((names(in: head) ?? []).map(\.canonicalName))
        return fields.filtered { names.contains($0.canonicalName) }
    }

    static func matches(_ stored: StoredResponse, _ fields: HTTPFields) -> Bool {
        guard let names = names(in: stored.head) else { return false }
        return names.allSatisfy { normalised($0, stored.requestFields) == normalised($0, fields) }
    }

    /// Returns the elements of a field in a comparable form; `nil` if the field is absent. Lines are joined, and white
    /// space around commas is removed. Languages are compared without regard to case and order (RFC 9110 §12.5.4).
    private static func normalised(_ name: HTTPField.Name, _ fields: HTTPFields) -> [String]? {
        guard fields.contains(name) else { return nil }
        switch name {
        case .acceptLanguage:
            return ListField.elements(fields[values: name])
                .map { $0.lowercased().filter { $0 != " " && $0 != "\t" } }.sorted()
        case .cookie: return [fields[name] ?? ""]
        default: return ListField.elements(fields[values: name])
        }
    }
}
