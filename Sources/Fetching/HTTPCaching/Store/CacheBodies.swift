import Base
import FoundationEssentials
package import LinuxIO
import NotificationModel

/// The bytes of stored responses: `.cache/bodies/ab/ab12….`, one file for each body, mode 0600. Calls block at most on
/// the page cache, because no file is synced.
package struct CacheBodies: Sendable {
    /// The age in seconds after which a file without a row is removed. Its process ended before it wrote the row.
    static let maxOnTheWay: TimeInterval = 3_600
    /// The names of the directories, which are the first two digits of file names.
    package static let shards = (0..<256).map { $0.hexadecimal(digits: 2) }

    private static let pieceByteCount = 1 << 18

    /// The path of the cache's directory.
    package let directory: String

    package init(root: String) { directory = "\(root)/\(ResponseCache.directoryName)" }

    /// Creates the cache's directory, which no other user can read.
    func makeDirectory() throws(SystemError) {
        try FileSystem.makeDirectories(directory)
        try FileSystem.setMode(0o700, of: directory)
    }

    /// Returns whether a text has the form of a body's name, a UUID in lower case.
    package static func isName(_ text: String) -> Bool {
        text.utf8.count == 36 && text.split(separator: "-").allSatisfy { Hexadecimal.isLowercase($0) }
    }

    package func path(of name: String) -> String { "\(shardDirectory(name.prefix(2)))/\(name)" }

    private func shardDirectory(_ shard: some StringProtocol) -> String { "\(directory)/bodies/\(shard)" }

    /// Gives a name to the bytes of a file. The bytes are copied only if they are on another file system or the file
    /// cannot be linked. Returns the name of the body.
    func keep(_ file: MediaFile) throws(SystemError) -> String {
        let name = RandomUUID.text()
        if file.isLinkable, (try? link(file, as: name)) != nil { return name }
        try makeShard(of: name)
        let copy = try AnonymousFile.create(in: shardDirectory(name.prefix(2)))
        guard copy.isLinkable else {
            try FileSystem.copy(file, to: path(of: name))
            try FileSystem.setMode(0o600, of: path(of: name))
            return name
        }
        try FileSystem.forEachChunk(of: file) { chunk throws(SystemError) in
            try FileSystem.write(chunk, to: copy.descriptor)
        }
        try link(copy, as: name)
        return name
    }

    private func link(_ file: MediaFile, as name: String) throws(SystemError) {
        try FileSystem.setMode(0o600, of: file)
        do throws(SystemError) {
            try AnonymousFile.link(file, to: path(of: name))
        } catch  where error.isNoSuchFile {
            try makeShard(of: name)
            try AnonymousFile.link(file, to: path(of: name))
        }
    }

    /// Creates the directory of a shard. The cache may have been deleted since it was opened.
    private func makeShard(of name: String) throws(SystemError) {
        let shard = shardDirectory(name.prefix(2))
        do throws(SystemError) { _ = try FileSystem.makeDirectory(shard) } catch  where error.isNoSuchFile {
            try makeDirectory()
            try FileSystem.makeDirectories(shard)
        }
    }

    /// Opens the body with a name. Throws `ENOENT` if there is no such file.
    package func open(_ name: String) throws(SystemError) -> MediaFile { try FileSystem.openForReading(path(of: name)) }

    /// Returns the checksum of all bytes. The thread does other work between two pieces.
    static func checksum(
        of file: MediaFile, isolation: isolated (any Actor)? = #isolation
    ) async throws(SystemError) -> UInt64 {
        var checksum = try Checksum()
        var offset = 0
        while true {
            let piece = try FileSystem.bytes(of: file, at: offset, count: pieceByteCount)
            checksum.update(piece)
            offset += piece.count
            guard piece.count == pieceByteCount else { return checksum.value }
            await Task.yield()
        }
    }

    /// Removes bodies. A later sweep finds a file that cannot be removed now.
    func remove(_ names: [String]) {
        for name in names { try? FileSystem.remove(path(of: name)) }
    }

    package func removeAll(of shard: String) {
        let directory = shardDirectory(shard)
        for name in (try? FileSystem.names(in: directory)) ?? [] { try? FileSystem.remove("\(directory)/\(name)") }
    }

    /// Removes the files of one shard that have no row. Rows of files that were named after the date may not be written
    /// yet. `known` returns the names that have a row, and is called only if the shard contains files.
    func sweep(_ shard: String, namedBefore date: Date, known: () -> Set<String>?) {
        let directory = shardDirectory(shard)
        guard let names = try? FileSystem.names(in: directory), !names.isEmpty, let known = known() else { return }
        for name in names where !known.contains(name) {
            guard let status = try? FileSystem.look(at: "\(directory)/\(name)"), status.kind == .regular,
                status.changeDate < date
            else { continue }
            try? FileSystem.remove("\(directory)/\(name)")
        }
    }
}
