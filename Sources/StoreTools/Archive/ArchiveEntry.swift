import AppGroupStore
import Primitives

/// An entry of an archive. Its name comes from the SHA-256 of its bytes.
///
/// The header is that of a regular file in a ustar archive (POSIX.1, pax, "ustar Interchange Format"). Each entry has
/// exactly one valid header, so a reader compares bytes and interprets no links, paths or owners.
struct ArchiveEntry: Equatable, Hashable {
    enum Directory: String, CaseIterable {
        /// The bodies of responses, and media files.
        case blobs
        /// Responses, renditions and pins as JSON.
        case records
    }

    static let blockSize = 512
    /// The maximum size of an entry in bytes, which has eleven octal digits.
    static let mostBytes = 1 << 33 - 1

    let directory: Directory
    /// The SHA-256 of the bytes as 64 lower-case hexadecimal digits.
    let digest: String
    let byteCount: Int

    /// The path of the entry in the archive.
    var name: String { "\(directory.rawValue)/\(digest)" }

    /// The number of zero bytes after the entry's bytes, up to a full block.
    var paddingCount: Int { (Self.blockSize - byteCount % Self.blockSize) % Self.blockSize }

    var header: [UInt8] {
        var header = [UInt8](repeating: 0, count: Self.blockSize)
        func put(_ text: String, at offset: Int) {
            header.replaceSubrange(offset..<offset + text.utf8.count, with: text.utf8)
        }
        put(name, at: 0)
        put("0000600", at: 100)
        put("0000000", at: 108)
        put("0000000", at: 116)
        put(String(byteCount, radix: 8).padded(to: 11), at: 124)
        put("00000000000", at: 136)
        put("        ", at: 148)
        put("0", at: 156)
        put("ustar\u{0}00", at: 257)
        put("0000000", at: 329)
        put("0000000", at: 337)
        let sum = header.reduce(0) { $0 + Int($1) }
        put(String(sum, radix: 8).padded(to: 6) + "\u{0} ", at: 148)
        return header
    }
}

extension ArchiveEntry {
    /// Reads an entry from its header of 512 bytes; returns `nil` if this program would write another header.
    init?(header: [UInt8]) {
        guard header.count == Self.blockSize else { return nil }
        let name = String(decoding: header.prefix(100).prefix { $0 != 0 }, as: UTF8.self)
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let directory = Directory(rawValue: String(parts[0])), FileDigest.isDigest(parts[1]),
            let byteCount = Int(String(decoding: header[124..<135], as: UTF8.self), radix: 8), byteCount >= 0
        else { return nil }
        self.init(directory: directory, digest: String(parts[1]), byteCount: byteCount)
        guard self.header == header else { return nil }
    }
}
