import Foundation
import GRDB
import NotificationModel

/// Reads the journal of an earlier daemon at a start, and repairs the journal after a failed sync.
extension JournalDatabase {
    /// A result whose publication is not known to be on the disk.
    struct Unsettled {
        var content: EmittedContent
        var fileName: String
    }

    /// Results of spool files.
    func unsettled() throws -> [Unsettled] {
        try database.read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT * FROM request WHERE emittedAt IS NOT NULL AND fileName IS NOT NULL ORDER BY sequence"
            ).compactMap { row in
                Result(row)?.read(from: files).map { Unsettled(content: $0, fileName: row["fileName"]) }
            }
        }
    }

    /// Requests without a result.
    struct Unemitted {
        /// Oldest first.
        var entries: [JournalEntry] = []
        /// Files of their large bodies.
        var bodyFiles: [RequestKey: String] = [:]
        /// Rows that hold no request that can be read.
        var unreadable = 0
    }

    /// Returns requests without a result. A caller that waited for one of them is gone, so their results are kept
    /// as long as those of keyed requests.
    ///
    /// - Parameter count: how many may have been worked on: the oldest of them are counted as tried once more. The
    ///   others never had their turn.
    func unemitted(tried count: Int) throws -> Unemitted {
        try database.write { database in
            let rows = try Row.fetchAll(
                database, sql: "SELECT * FROM request WHERE emittedAt IS NULL ORDER BY sequence")
            try database.execute(
                sql: """
                    UPDATE request SET attempts = attempts + 1 WHERE sequence IN (
                        SELECT sequence FROM request WHERE emittedAt IS NULL ORDER BY sequence LIMIT ?);
                    UPDATE request SET origin = 'detached' WHERE emittedAt IS NULL AND origin = 'call';
                    """, arguments: [count])
            var found = Unemitted()
            for (index, row) in rows.enumerated() {
                guard var entry = JournalEntry(row, files) else {
                    found.unreadable += 1
                    continue
                }
                if index < count { entry.attempts += 1 }
                found.entries.append(entry)
                found.bodyFiles[entry.key] = row.value("bodyFile")
            }
            return found
        }
    }

    /// Returns the number of the last row that was ever inserted.
    func lastSequence() throws -> Int {
        try database.read { try Int.fetchOne($0, sql: "SELECT max(seq) FROM sqlite_sequence") ?? 0 }
    }

    /// Makes durable by a new descriptor what an earlier connection committed, after a sync of that one failed, and
    /// removes what was never acknowledged.
    ///
    /// SQLite finds a transaction in the WAL whose sync failed, and takes it for committed: the kernel's memory has its
    /// pages. All of the WAL is copied into the database, which is synced, before anything is added behind it.
    ///
    /// - Parameter sequence: number of the last row that was acknowledged.
    func discard(after sequence: Int) throws -> Written {
        _ = try database.inDatabase { database in
            try database.checkpoint(.truncate)
        }
        return try database.write { database in
            var written = Written()
            try Self.delete("sequence > ?", [sequence], in: database, &written)
            return written
        }
    }

    /// Returns the names of all files that rows name.
    func namedFiles() throws -> Set<String> {
        try database.read { database in
            try Set(
                String.fetchAll(
                    database,
                    sql: """
                        SELECT bodyFile FROM request WHERE bodyFile IS NOT NULL
                        UNION ALL SELECT contentFile FROM request WHERE contentFile IS NOT NULL
                        """))
        }
    }

    /// Commits a transaction of `count` bytes that changes no request, and then removes them, to find out whether the disk
    /// takes one. Pages that are added and removed in one transaction would not be written.
    func probe(bytes count: Int) throws {
        try database.write { database in
            try database.execute(sql: "INSERT INTO probe (bytes) VALUES (zeroblob(?))", arguments: [count])
        }
        try database.write { try $0.execute(sql: "DELETE FROM probe") }
    }
}
