import FoundationEssentials
import GRDB
import SQLiteFiles

/// The queries of eviction.
extension ContainerIndex {
    /// The position of a file in the order of eviction: by the time of its last use, then by its row.
    struct EvictionPosition {
        /// The time of the last use, in seconds since 1970.
        var usedAt: Double
        var row: Int64

        /// The position before all files.
        static let start = EvictionPosition(usedAt: -.infinity, row: .min)
    }

    /// The result of one batch of eviction.
    struct Evicted {
        /// The number of files that were removed.
        var files = 0
        /// The number of bytes of the removed files.
        var bytes = 0
        /// The number of files that could not be removed and stay in the index.
        var failures = 0
        /// The position of the last file that was tried; `nil` if there was no file to try.
        var end: EvictionPosition?
    }

    /// The condition of a row of `asset` that is neither leased nor pinned at a time. The time is bound twice.
    static let isFree = """
        heldUntil < ? AND NOT EXISTS (SELECT 1 FROM pin WHERE pin.sha256 = asset.sha256 AND keepUntil >= ?)
        """

    /// The condition of a row of `message` whose files are not leased at a time.
    static let hasNoLease = """
        NOT EXISTS (
            SELECT 1 FROM messageAsset JOIN asset USING (sha256)
            WHERE messageAsset.messageId = message.id AND asset.heldUntil >= ?)
        """

    /// Returns the time of the last use of the least recently used file after a position. Leased and pinned files are
    /// ignored. The result is `nil` if there is no such file.
    func oldestUse(after position: EvictionPosition, at now: Date) throws -> Date? {
        try database.read { database in
            try Double.fetchOne(
                database,
                sql: """
                    SELECT usedAt FROM asset WHERE \(Self.isFree) AND (usedAt, rowid) > (?, ?)
                    ORDER BY usedAt, rowid LIMIT 1
                    """,
                arguments: [now.timeIntervalSince1970, now.timeIntervalSince1970, position.usedAt, position.row]
            ).map { Date(timeIntervalSince1970: $0) }
        }
    }

    /// Removes the least recently used files after a position, and their rows. Leased and pinned files are not removed.
    ///
    /// One transaction contains all removals: another process leases a file before the transaction, or finds the file
    /// removed.
    ///
    /// - Parameter most: The maximum number of files that are tried.
    /// - Parameter position: The position of the last file that was already tried. Files up to it are skipped.
    /// - Parameter date: Only files whose last use is earlier are removed.
    /// - Parameter enough: The number of removed bytes after which no further file is tried.
    /// - Parameter remove: A closure that removes a file by its path within the group. If it returns `false`, the row
    ///   of the file is not deleted.
    func evict(
        _ most: Int, after position: EvictionPosition, usedBefore date: Date, enough: Int, at now: Date,
        remove: (String) -> Bool
    ) throws -> Evicted {
        try database.write { database in
            let candidates = try Row.fetchAll(
                database,
                sql: """
                    SELECT rowid, sha256, path, bytes, usedAt FROM asset
                    WHERE \(Self.isFree) AND usedAt < ? AND (usedAt, rowid) > (?, ?) ORDER BY usedAt, rowid LIMIT ?
                    """,
                arguments: [
                    now.timeIntervalSince1970, now.timeIntervalSince1970, date.timeIntervalSince1970, position.usedAt,
                    position.row, most,
                ])
            var evicted = Evicted()
            for row in candidates where evicted.bytes < enough {
                let (path, bytes) = (try row.mediaPath(), try row.byteCount("bytes"))
                evicted.end = EvictionPosition(usedAt: try row.sound("usedAt"), row: try row.sound("rowid"))
                guard remove(path) else {
                    evicted.failures += 1
                    continue
                }
                try database.cachedStatement(sql: "DELETE FROM asset WHERE sha256 = ?")
                    .execute(arguments: [row["sha256"] as DatabaseValue])
                evicted.files += 1
                evicted.bytes += bytes
            }
            return evicted
        }
    }

    /// Deletes records of renditions that were made before a date, and ended pins.
    func forgetRenditions(madeBefore date: Date, at now: Date) throws {
        try database.write { database in
            try database.execute(sql: "DELETE FROM rendition WHERE madeAt < ?", arguments: [date.timeIntervalSince1970])
            try database.execute(sql: "DELETE FROM pin WHERE keepUntil < ?", arguments: [now.timeIntervalSince1970])
        }
    }
}
