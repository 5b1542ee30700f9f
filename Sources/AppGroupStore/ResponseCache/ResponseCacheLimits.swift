/// How much the cache keeps, whoever stored it.
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

/// What the cache has, and what it did since it was opened.
package struct ResponseCacheStatistics: Sendable, Equatable {
    /// Responses that are stored, whoever stored them.
    package var entries = 0
    /// Bytes of their bodies and heads.
    package var bytes = 0
    /// Keys that were looked up, and how many of them without a look into the index.
    package var lookups = 0
    package var lookupsFromMemory = 0
    /// Responses that went because others needed the room.
    package var evicted = 0
    /// Responses that were handed in and not stored: too large, or the disk did not take them.
    package var refused = 0

    package init() {}
}
