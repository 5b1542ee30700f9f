import HTTPCaching
import NotificationModel

/// One request to one URL, from the cache or from its origin, as it is: no redirect is followed, and nothing is asked
/// again.
struct ProxyExchange {
    /// Its URL is the target's.
    var request: OriginRequest
    var target: ValidatedURL
    var errand: FetchContext
    var client: LoopConfined<OriginClient>
    var cache: CachingExchange

    func run() async -> Result<CachedResponse, MediaFailure> {
        await cache.exchange(request, key: errand.rules.policy.cacheKey(of: target)) { request in
            let result = await client.here.send(request, to: target, for: errand).result
            // It is the end of the budget that cancels: an origin that does not answer in time is in trouble, and what
            // is stale may stand in for it.
            if case .failure(let failure) = result, failure.reason == .cancelled, errand.remaining() <= .zero {
                return .failure(MediaFailure(.budgetExceeded, "the budget ended before the origin had answered"))
            }
            return result
        }
    }
}
