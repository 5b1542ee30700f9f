import Digests
package import HTTPCaching

extension FetchPolicy {
    /// Returns the HTTP cache over a store, with the settings and the cache keys of this policy.
    package func exchange(over store: any ResponseStoring) -> CachingExchange {
        CachingExchange(
            store: store, policy: caching,
            keyOfOther: { _, url in
                guard let target = try? validate(url) else { return url }
                return cacheKey(of: target)
            })
    }

    /// Returns the URL with a digest of the credentials that its host receives. A response that was fetched with one
    /// token must not answer a request with another.
    package func cacheKey(of target: ValidatedURL) -> String {
        let fields = headers.fields(for: target)
        guard !fields.isEmpty else { return target.text }
        let digest = SHA256.hash(Array(fields.joined(separator: "\n").utf8))
        return target.text + " " + digest.map { String($0, radix: 16) }.joined(separator: ".")
    }
}
