import HTTPCaching

/// A response as the cache has it: the head, and where the bytes are.
struct CacheEntry: Sendable, Equatable {
    struct Body: Sendable, Equatable {
        /// Of the file; unlike the response's id it is never given twice, so that a name stands for the same bytes for
        /// ever, whatever another process replaces.
        let name: String
        /// The checksum of the bytes (`Checksum`).
        let checksum: UInt64
        /// The boot in which the bytes were written, or compared with the checksum: they are not synced, and after a power
        /// cut a file may have its length and not its bytes.
        var boot: String
    }

    var response: StoredResponse
    /// `nil` where it was stored without one.
    var body: Body?
    /// Bytes of the head as a text.
    var headByteCount: Int

    var byteCount: Int { response.storedBytes.count + headByteCount }
    /// What it takes in memory, about: the lines as they are in the index, and of each field its name and its value,
    /// both in an allocation of their own.
    var memoryByteCount: Int { 512 + 3 * headByteCount }

    /// The newest first.
    static func isBefore(_ left: CacheEntry, _ right: CacheEntry) -> Bool {
        left.response.responseTime > right.response.responseTime
    }
}
