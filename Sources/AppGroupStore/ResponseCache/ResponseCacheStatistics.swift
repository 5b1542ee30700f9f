/// Counts of the HTTP response cache: its contents, and its work since it was opened.
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
