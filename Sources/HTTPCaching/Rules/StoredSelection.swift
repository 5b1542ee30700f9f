import FoundationEssentials
import HTTPTypes

/// The stored responses of a key, as one request sees them (RFC 9111 §4, §4.1).
struct StoredSelection: Sendable {
    /// Those that match the request, newest first.
    var matching: [StoredResponse]
    /// What the request can be answered from, of the newest representation.
    var chosen: StoredResponse?
    var coverage: Coverage?
    /// Whole responses that were chosen by other fields: the origin may say that one of them is right for this request
    /// too (§4.3.1). Newest first.
    var others: [StoredResponse]

    /// How many other responses the origin is asked about at once.
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

    /// A beginning of the newest representation that the rest can be joined to.
    var beginning: StoredResponse? {
        guard let newest = matching.first, chosen == nil, newest.storedBytes.lowerBound == 0,
            !newest.storedBytes.isEmpty, !newest.head.fields.contains(.contentEncoding),
            Validators.hasStrong(newest.head, received: newest.responseTime)
        else { return nil }
        return newest
    }

    /// The older representations are for the time when the origin cannot be reached.
    private func isOfNewest(_ candidate: StoredResponse) -> Bool {
        guard let newest = matching.first, candidate.id != newest.id else { return true }
        return Validators.matchStrongly(newest, candidate.head, received: candidate.responseTime)
    }

    /// By `Date` (§4); what came in the same second, by when it came.
    private static func isNewer(_ one: StoredResponse, _ other: StoredResponse) -> Bool {
        let dates = (date(one), date(other))
        return dates.0 == dates.1 ? one.responseTime > other.responseTime : dates.0 > dates.1
    }

    private static func date(_ stored: StoredResponse) -> Date {
        stored.head.date(.date, received: stored.responseTime) ?? stored.responseTime
    }
}
