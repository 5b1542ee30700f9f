import Foundation
import GRDB

/// How the journal is opened, which tables it has, and which errors it knows.
extension JournalDatabase {
    /// The file has the tables of a newer program, which this one must not write to.
    struct NewerJournal: Error, CustomStringConvertible {
        let description = "a newer version of appgroupd made it: start that version, or name another root"
    }

    /// SQLite does not sync each commit, so nothing in the journal would be durable.
    struct NotDurable: Error, CustomStringConvertible {
        let setting: Int?
        var description: String {
            "SQLite runs with synchronous=\(setting.map(String.init) ?? "unknown"), and 2 (FULL) is needed"
        }
    }

    /// Bytes to which the WAL is cut when it starts again from its beginning.
    private static let walBytes = 64 << 20

    static var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "journal.sqlite"
        configuration.journalMode = .wal
        // Somebody may look into it.
        configuration.busyMode = .timeout(1)
        configuration.prepareDatabase { database in
            // It has an effect on a new database only (SQLite, "PRAGMA auto_vacuum").
            try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
            try database.execute(sql: "PRAGMA journal_size_limit = \(walBytes)")
        }
        return configuration
    }

    /// Sets `synchronous=FULL`, and reads it back. GRDB sets NORMAL when it switches to WAL mode, which is after
    /// `prepareDatabase`.
    static func syncEachCommit(of database: DatabaseQueue) throws {
        let setting = try database.inDatabase { database in
            try database.execute(sql: "PRAGMA synchronous = FULL")
            return try Int.fetchOne(database, sql: "PRAGMA synchronous")
        }
        guard setting == 2 else { throw NotDurable(setting: setting) }
    }

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { database in
            try database.create(table: "request") { table in
                table.autoIncrementedPrimaryKey("sequence")
                table.column("appGroup", .text).notNull()
                table.column("id", .text).notNull()
                table.column("origin", .text).notNull()
                // In the spool; NULL where it came another way.
                table.column("fileName", .text)
                table.column("fingerprint", .blob).notNull()
                // Until it is emitted.
                table.column("body", .blob)
                table.column("receivedAt", .double).notNull()
                table.column("deadline", .double).notNull()
                table.column("attempts", .integer).notNull().defaults(to: 0)
                // NULL until it is emitted.
                table.column("emittedAt", .double).indexed()
                table.column("outcome", .text)
                table.column("reason", .text)
                table.column("content", .blob)
                table.uniqueKey(["appGroup", "id"])
            }
            try database.create(
                index: "unemitted", on: "request", columns: ["sequence"], condition: Column("emittedAt") == nil)
        }
        migrator.registerMigration("2") { database in
            try database.alter(table: "request") { table in
                // Names of files in `values/`, for what is too large for a row.
                table.add(column: "bodyFile", .text)
                table.add(column: "contentFile", .text)
                table.add(column: "contentBytes", .integer)
            }
            try database.execute(sql: "UPDATE request SET contentBytes = length(content) WHERE emittedAt IS NOT NULL")
            // A result is in one of two indexes, by how long it is kept; both answer for the sum of bytes by themselves.
            try database.execute(
                sql: """
                    CREATE TABLE probe (bytes BLOB);
                    DROP INDEX request_on_emittedAt;
                    CREATE INDEX unkeyedResult ON request (emittedAt, contentBytes)
                        WHERE origin = 'call' AND emittedAt IS NOT NULL;
                    CREATE INDEX keyedResult ON request (emittedAt, contentBytes)
                        WHERE origin <> 'call' AND emittedAt IS NOT NULL;
                    """)
        }
        return migrator
    }

    // MARK: Errors

    /// Whether there was no room for what was to be written. The index of the WAL, in the file `-shm`, has errors of its
    /// own when it cannot grow.
    static func isFull(_ error: any Error) -> Bool {
        guard let error = error as? DatabaseError else { return false }
        return error.resultCode == .SQLITE_FULL || error.extendedResultCode == .SQLITE_IOERR_SHMSIZE
    }

    /// Whether the connection must not be used again: after a failed sync the kernel takes pages for written that are not
    /// on the disk, and the next sync of the same descriptor says that all is well.
    static func needsReopening(_ error: any Error) -> Bool {
        guard let error = error as? DatabaseError, !isFull(error) else { return false }
        return error.resultCode == .SQLITE_IOERR
    }
}
