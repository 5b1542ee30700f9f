import FoundationEssentials
import HTTPTypes

/// The decision whether a stored response is used without asking the origin (RFC 9111 §4.2.4, §5.2, RFC 5861).
enum CacheDecision: Sendable, Equatable {
    case fresh
    /// The response is stale, but the caller accepts that (`max-stale`).
    case stale
    /// The stale response is used, and the origin is asked afterwards (`stale-while-revalidate`).
    case staleWhileRevalidating
    case validate

    /// The maximum time by which a response may be ahead of the clock and still count as fresh, in seconds.
    private static let mostAhead = 60.0

    static func judge(_ stored: StoredResponse, _ request: HTTPFields, now: Date, policy: CachingPolicy)
        -> CacheDecision
    {
        let asked = CacheDirectives(request)
        let responseDirectives = CacheDirectives(stored.head.fields)
        guard !demandsValidation(request), !responseDirectives.isPlain("no-cache") else { return .validate }
        // If the clock was set back, the age of the response is unknown.
        guard stored.responseTime.timeIntervalSince(now) <= mostAhead else { return .validate }
        let freshness = Freshness(of: stored, now: now, policy: policy)
        if let most = asked.seconds("max-age"), freshness.age > most || most == 0 { return .validate }
        if freshness.isFresh {
            let rest = freshness.lifetime - freshness.age
            return rest >= asked.seconds("min-fresh") ?? 0 ? .fresh : .validate
        }
        guard !responseDirectives.contains("must-revalidate"), asked.seconds("min-fresh") == nil else {
            return .validate
        }
        if asked.contains("max-stale"),
            asked.isPlain("max-stale") || freshness.staleness <= asked.seconds("max-stale") ?? 0
        {
            return .stale
        }
        if let window = responseDirectives.seconds("stale-while-revalidate"), freshness.staleness <= window {
            return .staleWhileRevalidating
        }
        return .validate
    }

    /// Returns whether a stored response may be used if the origin is unreachable or reports a server error.
    static func isUsableOnError(
        _ stored: StoredResponse, _ request: HTTPFields, now: Date, policy: CachingPolicy
    ) -> Bool {
        let asked = CacheDirectives(request)
        let responseDirectives = CacheDirectives(stored.head.fields)
        let freshness = Freshness(of: stored, now: now, policy: policy)
        guard stored.head.status < 500, !responseDirectives.isPlain("no-cache"),
            !responseDirectives.contains("must-revalidate") || freshness.isFresh
        else { return false }
        let windows = [responseDirectives.seconds("stale-if-error"), asked.seconds("stale-if-error")].compactMap(\.self)
        if let window = windows.max() { return freshness.staleness <= window }
        // A caller that demands validation or a lower age has not agreed to a stale response.
        guard !demandsValidation(request), asked.seconds("max-age") == nil, asked.seconds("min-fresh") == nil else {
            return false
        }
        return freshness.staleness <= policy.staleOnError && policy.staleOnError > 0
    }

    /// Returns whether a request has `no-cache`. If it has no `Cache-Control`, `Pragma: no-cache` means the same (RFC
    /// 7234 §5.4). RFC 9111 deprecates `Pragma`, but old callers still send it.
    static func demandsValidation(_ request: HTTPFields) -> Bool {
        guard !request.contains(.cacheControl) else { return CacheDirectives(request).contains("no-cache") }
        return request.contains { field in
            field.name.canonicalName == "pragma"
                && ListField.elements([field.value]).contains { $0.lowercased() == "no-cache" }
        }
    }
}
