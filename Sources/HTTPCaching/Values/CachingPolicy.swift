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
