/// The limits of the HTTP response cache. The responses of all processes that share the directory count together.
package struct ResponseCacheLimits: Sendable, Equatable {
    /// The maximum number of bytes of bodies and headers together.
    package var quota: Int
    package var entries: Int
    /// The maximum size of one body, in bytes. A response with a larger body is not stored.
    package var largest: Int

    /// Creates limits of 1 GiB, 100,000 responses and 64 MiB for one body by default.
    package init(quota: Int = 1 << 30, entries: Int = 100_000, largest: Int = 64 << 20) {
        self.quota = quota
        self.entries = entries
        self.largest = largest
    }
}
