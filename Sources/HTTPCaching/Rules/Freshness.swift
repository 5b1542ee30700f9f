import FoundationEssentials
import HTTPTypes

/// How long a response is fresh, and how old it is (RFC 9111 §4.2). Seconds.
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

    /// §4.2.1, in a private cache: `s-maxage` is for shared ones.
    static func lifetime(of head: ResponseHead, received: Date, policy: CachingPolicy) -> Double {
        if let seconds = CacheDirectives(head.fields).seconds("max-age") { return seconds }
        let date = head.date(.date, received: received) ?? received
        if head.fields.contains(.expires) {
            // One that is no date, above all "0", is in the past (§5.3).
            return head.date(.expires, received: received).map { max(0, $0.timeIntervalSince(date)) } ?? 0
        }
        guard StatusRules.isHeuristicallyCacheable(head.status) || CacheDirectives(head.fields).contains("public")
        else { return 0 }
        // A `Date` after the reception comes from a wrong clock, and would make the response fresh for longer.
        return max(
            policy.defaultFreshness,
            heuristic(head, date: min(date, received), received: received, policy: policy))
    }

    /// §4.2.2: a tenth of the time for which it has not changed.
    private static func heuristic(
        _ head: ResponseHead, date: Date, received: Date, policy: CachingPolicy
    ) -> Double {
        guard let changed = head.date(.lastModified, received: received) else { return 0 }
        return min(max(0, date.timeIntervalSince(changed) / 10), policy.longestHeuristic)
    }

    /// §4.2.3.
    static func age(of stored: StoredResponse, now: Date) -> Double {
        let apparent =
            stored.head.date(.date, received: stored.responseTime)
            .map { max(0, stored.responseTime.timeIntervalSince($0)) } ?? 0
        let delay = max(0, stored.responseTime.timeIntervalSince(stored.requestTime))
        // The clock may have been turned back meanwhile.
        let resident = max(0, now.timeIntervalSince(stored.responseTime))
        return max(apparent, told(stored.head) + delay) + resident
    }

    /// `Age`: the first member of a list counts, and what is no number is as if it were not there (§5.1).
    private static func told(_ head: ResponseHead) -> Double {
        ListField.elements(head.fields[values: .age]).first.flatMap(DeltaSeconds.read).map(Double.init) ?? 0
    }
}

extension ResponseHead {
    /// The date in a field; of several the first. `nil` where there is none, or what is there is no date.
    func date(_ name: HTTPField.Name, received: Date) -> Date? {
        fields[values: name].first.flatMap { HTTPDate.read($0, now: received) }
    }
}
