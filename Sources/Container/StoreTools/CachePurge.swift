package import AppGroupStore
package import HTTPCaching
package import NotificationModel

/// A purge of media from the HTTP cache and from the containers of all groups, so that they are not shown any more.
///
/// Files are removed before the responses that they were made from: a repeated purge after an interruption finds both
/// again. A response or a file that was requested before the purge is not stored after the purge by the same process.
/// The purge works on the stores of a daemon, or on a root without a daemon.
///
/// To add a new kind of purge, do this: write its case in `PurgeTarget`, and read it in `CacheRoutes` and in
/// `CachePurgeCommand`. The compiler reports each switch that lacks the case. ``StoreInspection`` says how a check of
/// the stores is added.
package struct CachePurge: Sendable {
    private let cache: ResponseCache
    private let store: AppGroupStore
    private let canonical: @Sendable (String) -> String

    /// - Parameter canonical: A function that returns a URL in the form in which it is requested, and any other text
    ///   unchanged.
    package init(cache: ResponseCache, store: AppGroupStore, canonical: @escaping @Sendable (String) -> String) {
        self.cache = cache
        self.store = store
        self.canonical = canonical
    }

    /// Removes the media of a target. Throws `storage-failed` if a response or a file could not be removed.
    package func purge(_ target: PurgeTarget) async throws(MediaFailure) -> PurgeReport {
        let isPurged: @Sendable (String) -> Bool = { [canonical] url in target.matches(canonical(url)) }
        cache.purges.note { target.matches($0) }
        store.purges.note(isPurged)
        let ids = try await cache.ids(matching: target)
        var purge = ContainerIndex.Purge(ids: ids, isPurged: isPurged)
        purge.stored = try await cache.stored(try await store.sources(of: purge))
        var report = PurgeReport()
        let purged = try await store.purge(purge)
        (report.files, report.bytes, report.sharedFiles) = (purged.files, purged.bytes, purged.sharedFiles)
        let all = ids.union(try await cache.stored(purged.identities))
        try await cache.purge(all)
        report.responses = all.count
        // Requests may have made files from the responses until the responses were removed.
        purge.ids = all
        let rest = try await store.purge(purge)
        report.files += rest.files
        report.bytes += rest.bytes
        return report
    }
}
