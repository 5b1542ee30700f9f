import Base
package import FoundationEssentials
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
    private static let maxAhead = 60.0

    static func judge(_ stored: StoredResponse, _ request: HTTPFields, now: Date, policy: CachingPolicy)
        -> CacheDecision
    {
        let asked = CacheDirectives(request)
        let responseDirectives = CacheDirectives(stored.head)
        guard !demandsValidation(request), !responseDirectives.isPlain("no-cache") else { return .validate }
        // If the clock was set back, the age of the response is unknown.
        guard stored.responseTime.timeIntervalSince(now) <= maxAhead else { return .validate }
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
        let responseDirectives = CacheDirectives(stored.head)
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

/// The freshness lifetime and the age of a response, both in seconds (RFC 9111 §4.2).
struct Freshness: Sendable, Equatable {
    var lifetime: Double
    var age: Double

    var isFresh: Bool { lifetime > age }
    var staleness: Double { max(0, age - lifetime) }
}

extension Freshness {
    init(of stored: StoredResponse, now: Date, policy: CachingPolicy) {
        lifetime = Self.lifetime(of: stored.head, received: stored.responseTime, policy: policy)
        age = Self.age(of: stored, now: now)
    }

    /// Returns the freshness lifetime for a private cache, which ignores `s-maxage` (RFC 9111 §4.2.1).
    static func lifetime(of head: ResponseHead, received: Date, policy: CachingPolicy) -> Double {
        if let seconds = CacheDirectives(head).seconds("max-age") { return seconds }
        let date = head.date(.date, received: received) ?? received
        if head.fields.contains(.expires) {
            // A malformed `Expires`, most often "0", means a time in the past (RFC 9111 §5.3).
            return head.date(.expires, received: received).map { max(0, $0.timeIntervalSince(date)) } ?? 0
        }
        guard StatusRules.isHeuristicallyCacheable(head.status) || CacheDirectives(head).contains("public")
        else { return 0 }
        // A `Date` after the time of reception comes from a wrong clock, and would prolong the lifetime.
        return max(
            policy.defaultFreshness, heuristic(head, date: min(date, received), received: received, policy: policy))
    }

    /// Returns a tenth of the time since the last modification, at most `maxHeuristic` (RFC 9111 §4.2.2).
    private static func heuristic(_ head: ResponseHead, date: Date, received: Date, policy: CachingPolicy) -> Double {
        guard let changed = head.date(.lastModified, received: received) else { return 0 }
        return min(max(0, date.timeIntervalSince(changed) / 10), policy.maxHeuristic)
    }

    /// Returns the current age of a response, in seconds (RFC 9111 §4.2.3).
    static func age(of stored: StoredResponse, now: Date) -> Double {
        let apparent =
            stored.head.date(.date, received: stored.responseTime)
            .map { max(0, stored.responseTime.timeIntervalSince($0)) } ?? 0
        let delay = max(0, stored.responseTime.timeIntervalSince(stored.requestTime))
        // The clock may have been set back since the reception.
        let resident = max(0, now.timeIntervalSince(stored.responseTime))
        return max(apparent, reportedAge(stored.head) + delay) + resident
    }

    /// Returns the first element of `Age`, in seconds; 0 if it is malformed (RFC 9111 §5.1).
    private static func reportedAge(_ head: ResponseHead) -> Double {
        ListField.elements(head.fields[values: .age]).first.flatMap(DeltaSeconds.read).map(Double.init) ?? 0
    }
}

extension ResponseHead {
    /// Returns the date in the first line of a field; `nil` if the field is absent or malformed.
    func date(_ name: HTTPField.Name, received: Date) -> Date? {
        fields[values: name].first.flatMap { HTTPDate.read($0, now: received) }
    }
}

extension StoredResponse {
    /// Returns the time for which the response is still fresh, in seconds; negative if it has been stale for that time.
    package func freshFor(from now: Date, policy: CachingPolicy) -> Double {
        let freshness = Freshness(of: self, now: now, policy: policy)
        return freshness.lifetime - freshness.age
    }
}
