import Digests
import HTTPCaching
import NotificationModel

extension FetchPolicy {
    /// Returns the HTTP cache over a store, with the settings and the cache keys of this policy.
    func exchange(over store: any ResponseStoring) -> CachingExchange {
        CachingExchange(
            store: store, policy: caching,
            keyOfOther: { _, url in
                guard let target = try? validate(url) else { return url }
                return cacheKey(of: target)
            })
    }

    /// Returns the URL with a digest of the credentials that its host receives. A response that was fetched with one
    /// token must not answer a request with another.
    func cacheKey(of target: ValidatedURL) -> String {
        let fields = headers.fields(for: target)
        guard !fields.isEmpty else { return target.text }
        let digest = SHA256.hash(Array(fields.joined(separator: "\n").utf8))
        return target.text + " " + digest.map { String($0, radix: 16) }.joined(separator: ".")
    }
}

/// A store that stores no responses, for a fetcher without a cache.
struct NoResponseStore: ResponseStoring {
    func responses(for key: String) async -> [StoredResponse] { [] }
    func body(of response: StoredResponse) async -> MediaFile? { nil }
    func insert(_ response: StoredResponse, body: MediaFile?, since mark: RecentPurges.Mark) async {}
    func update(_ response: StoredResponse) async {}
    func remove(_ ids: [String]) async {}
    func removeAll(for key: String) async {}
}
