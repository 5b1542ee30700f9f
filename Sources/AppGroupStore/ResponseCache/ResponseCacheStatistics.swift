/// The counts of the HTTP response cache: its contents, and its work since it was opened.
package struct ResponseCacheStatistics: Sendable, Equatable {
    /// The number of stored responses, including those of other processes.
    package var entries = 0
    /// The number of bytes of their bodies and headers.
    package var bytes = 0
    /// The number of keys that were looked up.
    package var lookups = 0
    /// The number of keys that were found in memory, without a read of the index.
    package var lookupsFromMemory = 0
    /// The number of responses that were evicted to free space for others.
    package var evicted = 0
    /// The number of responses that were refused: too large, or not accepted by the disk.
    package var refused = 0

    package init() {}
}
