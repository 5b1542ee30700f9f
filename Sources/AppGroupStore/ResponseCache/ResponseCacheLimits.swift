/// Limits of the HTTP response cache. All processes that share the directory are counted together.
package struct ResponseCacheLimits: Sendable, Equatable {
    /// Bytes of bodies and heads together.
    package var quota: Int
    package var entries: Int
    /// Bytes of one body. A larger one is not stored.
    package var largest: Int

    /// 1 GiB, 100,000 responses and 64 MiB unless told otherwise.
    package init(quota: Int = 1 << 30, entries: Int = 100_000, largest: Int = 64 << 20) {
        self.quota = quota
        self.entries = entries
        self.largest = largest
    }
}
