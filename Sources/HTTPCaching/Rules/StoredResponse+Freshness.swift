package import FoundationEssentials

extension StoredResponse {
    /// Returns how long the response is fresh from now on, in seconds; negative if it has been stale for so long.
    package func freshFor(from now: Date, policy: CachingPolicy) -> Double {
        let freshness = Freshness(of: self, now: now, policy: policy)
        return freshness.lifetime - freshness.age
    }
}
