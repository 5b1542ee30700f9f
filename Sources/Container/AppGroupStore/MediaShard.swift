package import Base
package import FoundationEssentials
package import GRDB
package import LinuxIO
import SQLiteFiles

/// The directories of the container's media, each with the files whose digests begin with its name.
package enum MediaShard {
    package static func isName(_ name: String) -> Bool { name.utf8.count == 2 && Hexadecimal.isLowercase(name) }

    /// Returns the files of a directory whose name is a digest. Files `.part-…`, which exist on file systems without
    /// nameless files, are removed after an hour. Other files do not belong to the container, and are not changed.
    package static func files(
        in name: String, of directory: String, removingPartsBefore now: Date
    ) throws(SystemError) -> [ContainerIndex.FoundFile] {
        var found: [ContainerIndex.FoundFile] = []
        for file in try FileSystem.names(in: "\(directory)/\(name)") {
            let path = "\(directory)/\(name)/\(file)"
            guard let status = try? FileSystem.look(at: path), status.kind == .regular else { continue }
            if file.hasPrefix(".part-"), now.timeIntervalSince(status.changeDate) > 3_600 {
                try? FileSystem.remove(path)
            } else if let type = type(of: file), file.hasPrefix(name) {
                found.append(
                    .init(file, inShard: name, as: type, byteCount: status.byteCount, changed: status.changeDate))
            }
        }
        return found
    }

    /// Returns whether a file is an unfinished `.part-…` file, or has a digest and an unknown extension.
    package static func isLeftBehind(_ file: String) -> Bool {
        file.hasPrefix(".part-") || FileDigest.isDigest(file.prefix(FileDigest.digitCount)) && type(of: file) == nil
    }

    /// Returns the type of a file whose name is a digest, by its extension; `nil` if the file has another name.
    package static func type(of file: String) -> MediaFormat? {
        guard file.utf8.count > 65, FileDigest.isDigest(file.prefix(64)), file.dropFirst(64).first == "." else {
            return nil
        }
        return MediaFormat.rendition(extension: file.dropFirst(65))
    }
}

extension ContainerIndex {
    /// A media file that a scan of the directory found.
    package struct FoundFile: Equatable {
        /// The SHA-256 of the file's bytes in hexadecimal digits, taken from its name.
        package var digest: String
        /// The path within the directory of the group.
        package var path: String
        /// The media type that belongs to the file's extension.
        package var mimeType: String
        package var byteCount: Int
        /// The time of the file's last change.
        package var changed: Date

        /// - Parameter name: The name of the file: its digest, and the extension of its type.
        package init(_ name: String, inShard shard: String, as type: MediaFormat, byteCount: Int, changed: Date) {
            digest = String(name.prefix(FileDigest.digitCount))
            path = "media/\(shard)/\(name)"
            mimeType = type.mimeType
            self.byteCount = byteCount
            self.changed = changed
        }
    }

    /// Makes the rows of the shard with these first digits agree with its files. The function inserts a row for each
    /// file without a row, and deletes each row without a file.
    package func reconcile(shard digits: String, with found: [FoundFile], at now: Date) throws {
        try database.write { database in
            let rows = try Row.fetchAll(
                database, sql: "SELECT sha256, heldUntil FROM asset WHERE sha256 >= ? AND sha256 < ?",
                arguments: [digits, digits + "g"])
            let known = try Dictionary(
                rows.map { (try $0.sound("sha256") as String, try $0.sound("heldUntil") as Double) },
                uniquingKeysWith: max)
            let there = Set(found.map(\.digest))
            // A file is leased before it gets its name, so the row of a leased file may exist before the file.
            for (digest, end) in known where !there.contains(digest) && end < now.timeIntervalSince1970 {
                try database.execute(sql: "DELETE FROM asset WHERE sha256 = ?", arguments: [digest])
            }
            for file in found where known[file.digest] == nil { try Self.insert(file, in: database) }
        }
    }

    /// Inserts a row for a file, or corrects the row from the file. The other columns of an existing row stay.
    package static func insert(_ file: FoundFile, in database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO asset (sha256, path, mimeType, bytes, width, height, frames, storedAt, usedAt)
                VALUES (?, ?, ?, ?, 0, 0, 0, ?, ?)
                ON CONFLICT (sha256) DO UPDATE SET path = excluded.path, mimeType = excluded.mimeType,
                    bytes = excluded.bytes
                """,
            arguments: [
                file.digest, file.path, file.mimeType, file.byteCount, file.changed.timeIntervalSince1970,
                file.changed.timeIntervalSince1970,
            ])
    }
}
