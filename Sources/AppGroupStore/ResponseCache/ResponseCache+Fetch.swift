package import HTTPCaching
import NotificationModel

extension ResponseCache {
    package nonisolated func forFetch() -> any ResponseStoring { FetchStore(cache: self, mark: purges.mark) }
}

/// A view of the cache for one fetch. A response of a URL that was purged after the fetch began is not stored.
private struct FetchStore: ResponseStoring {
    let cache: ResponseCache
    let mark: RecentPurges.Mark

    func responses(for key: String) async -> [StoredResponse] { await cache.responses(for: key) }
    func body(of response: StoredResponse) async -> MediaFile? { await cache.body(of: response) }

    func insert(_ response: StoredResponse, body: MediaFile?) async {
        await cache.insert(response, body: body, since: mark)
    }

    func update(_ response: StoredResponse) async { await cache.update(response) }
    func remove(_ ids: [String]) async { await cache.remove(ids) }
    func removeAll(for key: String) async { await cache.removeAll(for: key) }
    func joined(_ parts: [ResponseBody]) async -> MediaFile? { await cache.joined(parts) }
}
