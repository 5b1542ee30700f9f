package import FoundationEssentials
import GRDB
package import MediaTypes
import SQLiteFiles

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

    /// Makes the rows of one shard agree with its files. The function inserts a row for each file without a row, and
    /// deletes each row without a file.
    ///
    /// - Parameter digits: The name of the shard, which is the first two digits of its digests.
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
            for file in found where known[file.digest] == nil {
                try database.execute(
                    sql: """
                        INSERT INTO asset (sha256, path, mimeType, bytes, width, height, frames, storedAt, usedAt)
                        VALUES (?, ?, ?, ?, 0, 0, 0, ?, ?)
                        """,
                    arguments: [
                        file.digest, file.path, file.mimeType, file.byteCount, file.changed.timeIntervalSince1970,
                        file.changed.timeIntervalSince1970,
                    ])
            }
        }
    }
}
