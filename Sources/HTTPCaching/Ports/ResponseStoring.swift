package import NotificationModel

/// Where stored responses are kept. Losing one is never an error: whoever asks fetches again.
package protocol ResponseStoring: Sendable {
    /// All that is stored under a key, newest first.
    func responses(for key: String) async -> [StoredResponse]
    /// The stored bytes: the file's offset 0 is the response's `storedBytes.lowerBound`. `nil` where they are gone.
    func body(of response: StoredResponse) async -> MediaFile?
    /// Takes a response with its bytes, in the file from 0; one with the same id is replaced. The file stays the
    /// caller's to read and is written no more.
    func insert(_ response: StoredResponse, body: MediaFile?) async
    /// A head that has changed (a 304, a HEAD); the bytes stay.
    func update(_ response: StoredResponse) async
    func remove(_ ids: [String]) async
    /// Everything that is stored under a key.
    func removeAll(for key: String) async
    /// A file with the bytes of all the parts, one after the other, from 0. `nil` where the store cannot: then parts are
    /// fetched whole.
    func joined(_ parts: [ResponseBody]) async -> MediaFile?
    /// Returns the store for one fetch that begins now, and whose responses are not stored if their URL is purged
    /// meanwhile.
    func forFetch() -> any ResponseStoring
}

extension ResponseStoring {
    package func joined(_ parts: [ResponseBody]) async -> MediaFile? { nil }
    package func forFetch() -> any ResponseStoring { self }
}

/// What the rules leave to whoever runs the cache. Seconds.
package struct CachingPolicy: Sendable, Equatable {
    /// How long a response is at least fresh that says nothing about it: no `max-age`, no `Expires`. 0 leaves it at the
    /// plain rules: a tenth of the time since `Last-Modified`, and without that not at all.
    package var defaultFreshness: Double
    /// The most that is guessed from `Last-Modified` (RFC 9111 §4.2.2).
    package var longestHeuristic: Double
    /// How long past its freshness a response is used when the origin cannot be reached or is in trouble, where neither
    /// it nor the request has a `stale-if-error` (RFC 9111 §4.2.4). 0: not at all.
    package var staleOnError: Double

    package init(
        defaultFreshness: Double = 0, longestHeuristic: Double = 86_400, staleOnError: Double = 604_800
    ) {
        self.defaultFreshness = defaultFreshness
        self.longestHeuristic = longestHeuristic
        self.staleOnError = staleOnError
    }
}
