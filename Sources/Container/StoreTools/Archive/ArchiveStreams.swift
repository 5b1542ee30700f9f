import AppGroupStore
import Base
import Digests
import Glibc
import LinuxIO
import NotificationModel

/// A reader of an archive that arrives block by block. It refuses every byte that an `ArchiveWriter` does not write.
struct ArchiveReader {
    private let next: () throws -> [UInt8]
    private var buffer: [UInt8] = []
    private var start = 0
    /// The number of bytes that have been read.
    private(set) var offset = 0

    /// - Parameter next: A function that returns further bytes of the archive, and an empty array at its end.
    init(next: @escaping () throws -> [UInt8]) { self.next = next }

    /// Reads the header of the next entry. All bytes of the previous entry must have been read. Returns `nil` at the
    /// end of the archive, which is two or more blocks of zeros.
    mutating func entry() throws -> ArchiveEntry? {
        let begin = offset
        let block = try read(ArchiveEntry.blockSize)
        if let entry = ArchiveEntry(header: block) { return entry }
        guard Self.isZero(block) else { throw ArchiveError.notOurs(offset: begin) }
        let second = offset
        guard Self.isZero(try read(ArchiveEntry.blockSize)) else { throw ArchiveError.notOurs(offset: second) }
        while let byte = try readSome(most: 1 << 16) {
            guard Self.isZero(byte) else { throw ArchiveError.bytesAfterEnd(offset: offset - byte.count) }
        }
        return nil
    }

    /// Reads the bytes of an entry, piece by piece, and its padding. Throws `wrongDigest` if the digest of the bytes is
    /// not the entry's name. The caller has received all pieces before this error.
    mutating func body(of entry: ArchiveEntry, _ take: ([UInt8]) throws -> Void) throws {
        var digest = SHA256()
        var rest = entry.byteCount
        while rest > 0 {
            guard let piece = try readSome(most: rest) else { throw ArchiveError.truncated }
            digest.update(piece.span)
            try take(piece)
            rest -= piece.count
        }
        let padding = offset
        guard Self.isZero(try read(entry.paddingCount)) else { throw ArchiveError.notOurs(offset: padding) }
        guard Hexadecimal.text(of: digest.finalize()) == entry.digest else {
            throw ArchiveError.wrongDigest(name: entry.name)
        }
    }

    private static func isZero(_ bytes: [UInt8]) -> Bool { bytes.allSatisfy { $0 == 0 } }

    private mutating func read(_ count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            guard let piece = try readSome(most: count - bytes.count) else { throw ArchiveError.truncated }
            bytes += piece
        }
        return bytes
    }

    /// Reads at most `count` bytes, and returns `nil` at the end of the stream.
    private mutating func readSome(most count: Int) throws -> [UInt8]? {
        if start == buffer.count {
            (buffer, start) = (try next(), 0)
            if buffer.isEmpty { return nil }
        }
        let piece = Array(buffer[start..<min(buffer.count, start + count)])
        start += piece.count
        offset += piece.count
        return piece
    }
}

/// A writer of an archive to a descriptor, entry by entry.
struct ArchiveWriter {
    let descriptor: Int32
    private var written: Set<String> = []
    /// The number of bytes of all entries so far, without headers and padding.
    private(set) var byteCount = 0

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// Writes the bytes of a file, unless they have already been written. Throws an error if the file changes during
    /// the write. After this error, the archive cannot be finished.
    mutating func write(_ file: MediaFile, digest: String, byteCount: Int) throws(SystemError) {
        let entry = ArchiveEntry(directory: .blobs, digest: digest, byteCount: byteCount)
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
        let entry = ArchiveEntry(directory: .records, digest: FileDigest.of(record), byteCount: record.count)
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
