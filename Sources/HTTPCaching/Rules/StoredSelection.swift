import FoundationEssentials
import HTTPTypes

/// The stored responses of a key, sorted for one request (RFC 9111 §4, §4.1).
struct StoredSelection: Sendable {
    /// The stored responses that match the request, newest first.
    var matching: [StoredResponse]
    /// The stored response of the newest representation that can answer the request; `nil` if no stored response can
    /// answer it.
    var chosen: StoredResponse?
    var coverage: Coverage?
    /// The whole responses whose `Vary` fields do not match, newest first. The origin may confirm one of them for this
    /// request (RFC 9111 §4.3.1).
    var others: [StoredResponse]

    /// The maximum number of other responses that a request to the origin names.
    private static let mostOthers = 8

    init(_ stored: [StoredResponse], for request: OriginRequest) {
        let ordered = stored.filter { $0.method == "GET" }.sorted(by: Self.isNewer)
        matching = ordered.filter { VarySelection.matches($0, request.fields) }
        let ids = Set(matching.map(\.id))
        others = Array(
            ordered.filter { $0.isWhole && !ids.contains($0.id) && EntityTag($0.head.fields) != nil }
                .prefix(Self.mostOthers))
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

    /// Returns whether a response has the same representation as the newest response. Older representations are used
    /// only if the origin is unreachable.
    private func isOfNewest(_ candidate: StoredResponse) -> Bool {
        guard let newest = matching.first, candidate.id != newest.id else { return true }
        return Validators.matchStrongly(newest, candidate.head, received: candidate.responseTime)
    }

    /// Returns whether one response is newer by `Date` (RFC 9111 §4), or by the time of reception if the dates are
    /// equal.
    private static func isNewer(_ one: StoredResponse, _ other: StoredResponse) -> Bool {
        let dates = (date(one), date(other))
        return dates.0 == dates.1 ? one.responseTime > other.responseTime : dates.0 > dates.1
    }

    private static func date(_ stored: StoredResponse) -> Date {
        stored.head.date(.date, received: stored.responseTime) ?? stored.responseTime
    }
}
