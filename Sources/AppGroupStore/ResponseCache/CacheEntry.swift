import HTTPCaching

/// A stored response: its headers, and the file of its body.
struct CacheEntry: Sendable, Equatable {
    struct Body: Sendable, Equatable {
        /// The name of the file. Unlike the response's id, a name is never used again. So a name always means the same
        /// bytes, even if another process replaces the response.
        let name: String
        /// The checksum of the bytes (`Checksum`).
        let checksum: UInt64
        /// The boot in which the bytes were written or compared with the checksum. They are not synced, and after a
        /// power cut a file may have its length without its bytes.
        var boot: String
    }

    var response: StoredResponse
    /// The file of the body; `nil` if the response is stored without a body.
    var body: Body?
    /// The number of bytes of the serialized headers.
    var headByteCount: Int

    var byteCount: Int { response.storedBytes.count + headByteCount }
    /// The approximate memory of the entry, in bytes. The lines are stored as in the index, and the name and value of
    /// each field have one allocation each.
    var memoryByteCount: Int { 512 + 3 * headByteCount }

    /// Returns whether one response is newer than another. Lists begin with the newest response.
    static func isBefore(_ left: CacheEntry, _ right: CacheEntry) -> Bool {
        left.response.responseTime > right.response.responseTime
    }
}
