import NotificationModel

/// The media items that a file of the container was made from. The type does no I/O.
struct FileSources: Equatable {
    /// The URLs of the messages that show the file, as payloads write them, and the URLs under which it is pinned.
    var urls: Set<String>
    /// The ids of the responses that the file was made from. Some may have been evicted from the cache.
    var identities: Set<String>

    /// Returns whether the file stays because it has another source than the purged URL.
    ///
    /// A message that shows the file from another URL is such a source, and so is a pin of another URL. A stored
    /// response of another URL is one if the file also has a purged response. If that response is the file's only one,
    /// the purged URL redirects to it, and the file is removed.
    ///
    /// - Parameter isPurged: Returns whether a URL is purged.
    /// - Parameter ids: The ids of the responses that are purged.
    /// - Parameter stored: The ids of the responses that are in the cache.
    func staysShared(isPurged: (String) -> Bool, purging ids: Set<String>, stored: Set<String>) -> Bool {
        if urls.contains(where: { !isPurged($0) }) { return true }
        return !identities.isDisjoint(with: ids) && !identities.subtracting(ids).isDisjoint(with: stored)
    }
}
