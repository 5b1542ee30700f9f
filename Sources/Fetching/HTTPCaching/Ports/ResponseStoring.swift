package import LinuxIO
package import NotificationModel

/// A store of responses. The loss of a stored response is never an error, because the cache fetches it again.
package protocol ResponseStoring: Sendable {
    /// Returns all responses that are stored under a key, newest first.
    func responses(for key: String) async -> [StoredResponse]
    /// Returns the file with the stored bytes; `nil` if they are gone. Offset 0 of the file is the position
    /// `storedBytes.lowerBound` of the representation.
    func body(of response: StoredResponse) async -> MediaFile?
    /// Stores a response and its bytes, which start at offset 0 of the file. The function replaces a response with the
    /// same id. The caller may still read the file, but must not write to it any more. A response whose URL was purged
    /// since the mark of the fetch is not stored. Without a checksum of the bytes, the store reads them again.
    func insert(
        _ response: StoredResponse, body: MediaFile?, checksum: UInt64?, since mark: RecentPurges.Mark) async
    /// Updates the headers of a stored response after a 304 or a HEAD. The bytes remain.
    func update(_ response: StoredResponse) async
    func remove(_ ids: [String]) async
    /// Removes all responses that are stored under a key.
    func removeAll(for key: String) async
    /// Returns a file with the bytes of all parts in order, from offset 0; `nil` if the store cannot combine files. The
    /// cache then fetches the whole body.
    func joined(_ parts: [ResponseBody]) async -> MediaFile?
    /// The mark of a fetch that begins now, which `insert` compares with later purges.
    var purgeMark: RecentPurges.Mark { get }
}

extension ResponseStoring {
    package func joined(_ parts: [ResponseBody]) async -> MediaFile? { nil }
    package var purgeMark: RecentPurges.Mark { 0 }

    package func insert(_ response: StoredResponse, body: MediaFile?, since mark: RecentPurges.Mark) async {
        await insert(response, body: body, checksum: nil, since: mark)
    }
}

/// The settings of the caching rules, in seconds.
package struct CachingPolicy: Sendable, Equatable {
    /// The minimum freshness lifetime of a response without `max-age` and `Expires`. With 0, only the heuristic of the
    /// RFC applies: a tenth of the time since `Last-Modified`, and 0 without that field.
    package var defaultFreshness: Double
    /// The maximum of the lifetime that is derived from `Last-Modified` (RFC 9111 §4.2.2).
    package var maxHeuristic: Double
    /// The time for which a stale response may be used if the origin is unreachable or reports a server error; 0 for
    /// none. A `stale-if-error` in the response or in the request takes precedence over it (RFC 9111 §4.2.4).
    package var staleOnError: Double

    package init(defaultFreshness: Double = 0, maxHeuristic: Double = 86_400, staleOnError: Double = 604_800) {
        self.defaultFreshness = defaultFreshness
        self.maxHeuristic = maxHeuristic
        self.staleOnError = staleOnError
    }
}
