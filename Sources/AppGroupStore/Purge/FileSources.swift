import NotificationModel

/// The media that a file of the container was made from. Pure.
struct FileSources: Equatable {
    /// URLs of the messages that show the file, as payloads write them, and URLs under which it is pinned.
    var urls: Set<String>
    /// Ids of the responses that it was made from; some may be gone from the cache.
    var identities: Set<String>

    /// Returns whether the file stays, because something else than a purged URL leads to it as well.
    ///
    /// A message that shows the file from another URL does, and a pin of another URL. A stored response of another URL does if a purged one is
    /// stored beside it. If it is the only one, the purged URL was redirected there, and the file goes.
    ///
    /// - Parameters:
    ///   - ids: of the responses that are purged.
    ///   - stored: ids of responses that are in the cache.
    func staysShared(isPurged: (String) -> Bool, purging ids: Set<String>, stored: Set<String>) -> Bool {
        if urls.contains(where: { !isPurged($0) }) { return true }
        return !identities.isDisjoint(with: ids) && !identities.subtracting(ids).isDisjoint(with: stored)
    }
}
