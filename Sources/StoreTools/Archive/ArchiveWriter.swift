import AppGroupStore
import Digests
import Glibc
import LinuxIO
import NotificationModel
import Primitives

/// A writer of an archive to a descriptor, entry by entry.
struct ArchiveWriter {
    let descriptor: Int32
    private var written: Set<String> = []
    /// The number of bytes of all entries so far, without headers and padding.
    private(set) var byteCount = 0

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// Writes the bytes of a file, unless they have already been written.
    ///
    /// - Throws: An error if the file changes during the write. After this error, the archive cannot be finished.
    mutating func write(_ file: MediaFile, digest: String, byteCount: Int) throws(SystemError) {
        let entry = ArchiveEntry(.blobs, digest: digest, byteCount: byteCount)
        guard written.insert(entry.name).inserted else { return }
        try FileSystem.write(entry.header[...], to: descriptor)
        var hash = SHA256()
        var count = 0
        try FileSystem.forEachChunk(of: file) { chunk throws(SystemError) in
            hash.update(chunk.span)
            count += chunk.count
            try FileSystem.write(chunk, to: descriptor)
        }
        guard count == byteCount, Hexadecimal.text(of: hash.finalize()) == digest else {
            throw SystemError("a stored file changed while it was exported", errno: EIO)
        }
        try pad(entry)
    }

    /// Writes a record, unless it has already been written.
    mutating func write(_ record: [UInt8]) throws(SystemError) {
        let entry = ArchiveEntry(.records, digest: FileDigest.of(record), byteCount: record.count)
        guard written.insert(entry.name).inserted else { return }
        try FileSystem.write(entry.header[...], to: descriptor)
        try FileSystem.write(record[...], to: descriptor)
        try pad(entry)
    }

    /// Writes the end of the archive. A reader refuses an archive without its end.
    func finish() throws(SystemError) {
        try FileSystem.write([UInt8](repeating: 0, count: 2 * ArchiveEntry.blockSize)[...], to: descriptor)
    }

    private mutating func pad(_ entry: ArchiveEntry) throws(SystemError) {
        byteCount += entry.byteCount
        try FileSystem.write([UInt8](repeating: 0, count: entry.paddingCount)[...], to: descriptor)
    }
}
