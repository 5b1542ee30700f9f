import AppGroupStore
import Base

/// An entry of an archive. Its name comes from the SHA-256 of its bytes.
///
/// Each entry has exactly one valid header (`UstarHeader`), so a reader compares bytes and interprets no links, paths or owners.
struct ArchiveEntry: Equatable, Hashable {
    enum Directory: String, CaseIterable {
        /// The bodies of responses, and media files.
        case blobs
        /// Responses, renditions and pins as JSON.
        case records
    }

    static let blockSize = UstarHeader.blockSize
    /// The maximum size of an entry in bytes, which has eleven octal digits.
    static let maxBytes = 1 << 33 - 1

    let directory: Directory
    /// The SHA-256 of the bytes as 64 lower-case hexadecimal digits.
    let digest: String
    let byteCount: Int

    /// The path of the entry in the archive.
    var name: String { "\(directory.rawValue)/\(digest)" }

    /// The number of zero bytes after the entry's bytes, up to a full block.
    var paddingCount: Int { UstarHeader.padding(after: byteCount) }

    var header: [UInt8] { UstarHeader.bytes(name: name, byteCount: byteCount) }
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

/// The reason why an archive is refused. No part of a refused archive is imported.
package enum ArchiveError: Error, Sendable, Equatable, CustomStringConvertible {
    case truncated
    /// - Parameter offset: The position of the block in the archive, in bytes.
    case notOurs(offset: Int)
    case bytesAfterEnd(offset: Int)
    case wrongDigest(name: String)
    case repeated(name: String)
    /// - Parameter limit: The maximum size, in bytes.
    case tooLarge(name: String, limit: Int)
    case tooMuch(limit: Int)
    case tooManyRecords(limit: Int)
    case record(name: String, problem: String)
    case missing(blob: String, record: String)
    case unused(blob: String)

    package var description: String {
        switch self {
        case .truncated: "the archive is truncated: export it again"
        case .notOurs(let offset): "the block at byte \(offset) was not written by `cache export`"
        case .bytesAfterEnd(let offset): "there are bytes after the end of the archive, at byte \(offset)"
        case .wrongDigest(let name): "the bytes of \(name) have another digest"
        case .repeated(let name): "\(name) occurs twice"
        case .tooLarge(let name, let limit): "\(name) has more than \(limit) bytes"
        case .tooMuch(let limit): "the archive has more than \(limit) bytes, the limit of the quotas"
        case .tooManyRecords(let limit): "the archive has more than \(limit) records"
        case .record(let name, let problem): "\(name) is not a valid record: \(problem)"
        case .missing(let blob, let record): "\(record) refers to \(blob), which is missing or has another size"
        case .unused(let blob): "no record refers to \(blob)"
        }
    }
}
