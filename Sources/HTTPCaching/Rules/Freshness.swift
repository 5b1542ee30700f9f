package import FoundationEssentials
import HTTPTypes
import Primitives

/// The freshness lifetime and the age of a response, both in seconds (RFC 9111 §4.2).
struct Freshness: Sendable, Equatable {
    var lifetime: Double
    var age: Double

    init(lifetime: Double, age: Double) {
        self.lifetime = lifetime
        self.age = age
    }

    init(of stored: StoredResponse, now: Date, policy: CachingPolicy) {
        lifetime = Self.lifetime(of: stored.head, received: stored.responseTime, policy: policy)
        age = Self.age(of: stored, now: now)
    }

    var isFresh: Bool { lifetime > age }
    var staleness: Double { max(0, age - lifetime) }

    /// Returns the freshness lifetime for a private cache (RFC 9111 §4.2.1). `s-maxage` is ignored, because it is for
    /// shared caches.
    static func lifetime(of head: ResponseHead, received: Date, policy: CachingPolicy) -> Double {
        if let seconds = CacheDirectives(head.fields).seconds("max-age") { return seconds }
        let date = head.date(.date, received: received) ?? received
        if head.fields.contains(.expires) {
            // A malformed `Expires`, most often "0", means a time in the past (RFC 9111 §5.3).
            return head.date(.expires, received: received).map { max(0, $0.timeIntervalSince(date)) } ?? 0
        }
        guard StatusRules.isHeuristicallyCacheable(head.status) || CacheDirectives(head.fields).contains("public")
        else { return 0 }
        // A `Date` after the time of reception comes from a wrong clock, and would prolong the lifetime.
        return max(
            policy.defaultFreshness,
            heuristic(head, date: min(date, received), received: received, policy: policy))
    }

    /// Returns a tenth of the time since the last modification, at most `longestHeuristic` (RFC 9111 §4.2.2).
    private static func heuristic(
        _ head: ResponseHead, date: Date, received: Date, policy: CachingPolicy
    ) -> Double {
        guard let changed = head.date(.lastModified, received: received) else { return 0 }
        return min(max(0, date.timeIntervalSince(changed) / 10), policy.longestHeuristic)
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

    /// Returns the value of `Age`, in seconds. The first element of a list is used, and a malformed value is treated as
    /// 0 (RFC 9111 §5.1).
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
    /// Returns the time for which the response is still fresh, in seconds. A negative value is the time for which it
    /// has been stale.
    package func freshFor(from now: Date, policy: CachingPolicy) -> Double {
        let freshness = Freshness(of: self, now: now, policy: policy)
        return freshness.lifetime - freshness.age
    }
}
