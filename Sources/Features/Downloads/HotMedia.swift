import NIOCore

/// The files in memory. If they exceed their limit, those are removed that were not downloaded since the last removal.
struct HotMedia: Sendable {
    private struct Entry {
        let bytes: ByteBuffer
        /// Whether the file was downloaded since the last removal.
        var isUsed = false
    }

    private let maxBytes: Int
    private var entries: [MediaAddress: Entry] = [:]
    private(set) var byteCount = 0
    /// The number of times that all files were removed.
    private(set) var generation = 0

    init(maxBytes: Int) { self.maxBytes = maxBytes }

    /// Returns the bytes of a file that is downloaded; `nil` if they are not in memory.
    mutating func bytes(of address: MediaAddress) -> ByteBuffer? {
        guard let index = entries.index(forKey: address) else { return nil }
        entries.values[index].isUsed = true
        return entries.values[index].bytes
    }

    /// - Parameter generation: The generation before the file was read. A file that was read before the last removal of
    ///   all files may have been removed from the disk since, and is not inserted.
    mutating func insert(_ bytes: ByteBuffer, of address: MediaAddress, readIn generation: Int) {
        guard bytes.readableBytes <= maxBytes, generation == self.generation else { return }
        remove(address)
        while byteCount + bytes.readableBytes > maxBytes { removeUnused() }
        entries[address] = Entry(bytes: bytes)
        byteCount += bytes.readableBytes
    }

    /// Removes the unused files, and marks the others as unused. Each second call removes at least one file.
    private mutating func removeUnused() {
        for (address, entry) in entries {
            if entry.isUsed { entries[address]?.isUsed = false } else { remove(address) }
        }
    }

    mutating func remove(_ address: MediaAddress) {
        guard let entry = entries.removeValue(forKey: address) else { return }
        byteCount -= entry.bytes.readableBytes
    }

    mutating func removeAll() {
        entries = [:]
        byteCount = 0
        generation += 1
    }
}
