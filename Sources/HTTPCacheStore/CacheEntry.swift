package import HTTPCaching

/// A stored response: its headers, and the file of its body.
package struct CacheEntry: Sendable, Equatable {
    package struct Body: Sendable, Equatable {
        /// The name of the file. Unlike the response's id, a name is never used again. Therefore, a name always means
        /// the same bytes, even if another process replaces the response.
        package let name: String
        /// The checksum of the bytes (`Checksum`).
        package let checksum: UInt64
        /// The boot in which the bytes were written or compared with the checksum. The bytes are not synced, and after
        /// a power cut a file may have its length without its bytes.
        package var boot: String
    }

    package var response: StoredResponse
    /// The file of the body; `nil` if the response is stored without a body.
    package var body: Body?
    /// The number of bytes of the serialized headers.
    var headByteCount: Int

    package var byteCount: Int { response.storedBytes.count + headByteCount }
    /// The approximate memory of the entry, in bytes. The lines are stored as in the index, and the name and value of
    /// each field have one allocation each.
    var memoryByteCount: Int { 512 + 3 * headByteCount }

    /// Returns whether one response is newer than another. Lists begin with the newest response.
    static func isBefore(_ left: CacheEntry, _ right: CacheEntry) -> Bool {
        left.response.responseTime > right.response.responseTime
    }
}
