package import FoundationEssentials

extension StoredResponse {
    /// Returns how long the response is still fresh, in seconds. A negative value is the time for which it has been
    /// stale.
    package func freshFor(from now: Date, policy: CachingPolicy) -> Double {
        let freshness = Freshness(of: self, now: now, policy: policy)
        return freshness.lifetime - freshness.age
    }
}
