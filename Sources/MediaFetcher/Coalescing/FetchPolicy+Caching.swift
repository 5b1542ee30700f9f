import Digests
import HTTPCaching
import NotificationModel

extension FetchPolicy {
    /// The rules of caching over a store, with the keys that are looked up by under this policy.
    func exchange(over store: any ResponseStoring) -> CachingExchange {
        CachingExchange(
            store: store, policy: caching,
            keyOfOther: { _, url in
                guard let target = try? validate(url) else { return url }
                return cacheKey(of: target)
            })
    }

    /// The URL, and a digest of the credentials that its host gets: what one token brought is nobody else's.
    func cacheKey(of target: ValidatedURL) -> String {
        let fields = headers.fields(for: target)
        guard !fields.isEmpty else { return target.text }
        let digest = SHA256.hash(Array(fields.joined(separator: "\n").utf8))
        return target.text + " " + digest.map { String($0, radix: 16) }.joined(separator: ".")
    }
}

/// The store of a fetcher that has none.
struct NoResponseStore: ResponseStoring {
    func responses(for key: String) async -> [StoredResponse] { [] }
    func body(of response: StoredResponse) async -> MediaFile? { nil }
    func insert(_ response: StoredResponse, body: MediaFile?) async {}
    func update(_ response: StoredResponse) async {}
    func remove(_ ids: [String]) async {}
    func removeAll(for key: String) async {}
}
