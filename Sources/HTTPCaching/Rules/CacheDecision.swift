import FoundationEssentials
import HTTPTypes

/// Whether a stored response is given without asking the origin (RFC 9111 §4.2.4, §5.2, RFC 5861).
enum CacheDecision: Sendable, Equatable {
    case fresh
    /// No longer fresh, but the caller takes it so (`max-stale`).
    case stale
    /// The origin is asked after the answer has been given (`stale-while-revalidate`).
    case staleWhileRevalidating
    case validate

    /// A response may be this much later than the clock and still count as fresh, in seconds.
    private static let mostAhead = 60.0

    static func judge(_ stored: StoredResponse, _ request: HTTPFields, now: Date, policy: CachingPolicy)
        -> CacheDecision
    {
        let asked = CacheDirectives(request)
        let told = CacheDirectives(stored.head.fields)
        guard !demandsValidation(request), !told.isPlain("no-cache") else { return .validate }
        // After the clock was set back, nobody knows how old the response is.
        guard stored.responseTime.timeIntervalSince(now) <= mostAhead else { return .validate }
        let freshness = Freshness(of: stored, now: now, policy: policy)
        if let most = asked.seconds("max-age"), freshness.age > most || most == 0 { return .validate }
        if freshness.isFresh {
            let rest = freshness.lifetime - freshness.age
            return rest >= asked.seconds("min-fresh") ?? 0 ? .fresh : .validate
        }
        guard !told.contains("must-revalidate"), asked.seconds("min-fresh") == nil else { return .validate }
        if asked.contains("max-stale"),
            asked.isPlain("max-stale") || freshness.staleness <= asked.seconds("max-stale") ?? 0
        {
            return .stale
        }
        if let window = told.seconds("stale-while-revalidate"), freshness.staleness <= window {
            return .staleWhileRevalidating
        }
        return .validate
    }

    /// Whether it is given when the origin cannot be reached, or answers that it is in trouble.
    static func isUsableOnError(
        _ stored: StoredResponse, _ request: HTTPFields, now: Date, policy: CachingPolicy
    ) -> Bool {
        let asked = CacheDirectives(request)
        let told = CacheDirectives(stored.head.fields)
        let freshness = Freshness(of: stored, now: now, policy: policy)
        guard stored.head.status < 500, !told.isPlain("no-cache"),
            !told.contains("must-revalidate") || freshness.isFresh
        else { return false }
        let windows = [told.seconds("stale-if-error"), asked.seconds("stale-if-error")].compactMap(\.self)
        if let window = windows.max() { return freshness.staleness <= window }
        // A caller that wants it checked, or younger, has not said that anything is better than nothing.
        guard !demandsValidation(request), asked.seconds("max-age") == nil, asked.seconds("min-fresh") == nil else {
            return false
        }
        return freshness.staleness <= policy.staleOnError && policy.staleOnError > 0
    }

    /// `no-cache`; `Pragma` says the same where there is no `Cache-Control` (RFC 7234 §5.4, which RFC 9111 leaves to
    /// history, and old callers to us).
    static func demandsValidation(_ request: HTTPFields) -> Bool {
        guard !request.contains(.cacheControl) else { return CacheDirectives(request).contains("no-cache") }
        return request.contains { field in
            field.name.canonicalName == "pragma"
                && ListField.elements([field.value]).contains { $0.lowercased() == "no-cache" }
        }
    }
}
