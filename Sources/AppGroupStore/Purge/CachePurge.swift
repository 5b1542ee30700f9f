package import NotificationModel

/// Removes media from the HTTP cache and from the containers of all groups, so that they are not shown any more.
///
/// Files go before the responses that they were made from: a purge that ends in between finds both again when it is
/// repeated. Responses and files that were requested before the purge are not stored after it by the same process. It works
/// on the stores of a daemon, or on a root beside none.
package struct CachePurge: Sendable {
    private let cache: ResponseCache
    private let store: AppGroupStore
    private let canonical: @Sendable (String) -> String

    /// - Parameter canonical: gives a URL in the form in which it is requested; any other text as it stands.
    package init(
        cache: ResponseCache, store: AppGroupStore, canonical: @escaping @Sendable (String) -> String
    ) {
        self.cache = cache
        self.store = store
        self.canonical = canonical
    }

    /// - Throws: `storage-failed` if something could not be removed.
    package func purge(_ target: PurgeTarget) async throws(MediaFailure) -> PurgeReport {
        let isPurged: @Sendable (String) -> Bool = { [canonical] url in target.matches(canonical(url)) }
        cache.purges.note { target.matches($0) }
        store.purges.note(isPurged)
        let ids = try await cache.ids(matching: target)
        var purge = ContainerIndex.Purge(isPurged: isPurged, ids: ids, stored: [])
        purge.stored = try await cache.stored(try await store.sources(of: purge))
        var report = PurgeReport()
        let purged = try await store.purge(purge)
        (report.files, report.bytes, report.sharedFiles) = (purged.files, purged.bytes, purged.sharedFiles)
        let all = ids.union(try await cache.stored(purged.identities))
        try await cache.purge(all)
        report.responses = all.count
        // Requests may have made files of the responses until these were gone.
        purge.ids = all
        let rest = try await store.purge(purge)
        report.files += rest.files
        report.bytes += rest.bytes
        return report
    }
}
