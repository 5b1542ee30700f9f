import NotificationModel

/// A cache without responses.
struct EmptyCache: CachePurging {
    func purge(_ target: PurgeTarget) async throws(MediaFailure) -> PurgeReport { PurgeReport() }
}
