import GRDB
import SQLiteFiles

/// The configuration of the journal's database, its tables, and its errors.
extension JournalDatabase {
    /// The error of a file whose tables a newer version created. This version must not write to it.
    struct NewerJournal: Error, CustomStringConvertible {
        let description = "a newer version of appgroupd made it: start that version, or name another root"
    }

    /// The error of a connection on which SQLite does not sync each commit. No row of the journal would be durable.
    struct NotDurable: Error, CustomStringConvertible {
        let setting: Int?
        var description: String {
            "SQLite runs with synchronous=\(setting.map(String.init) ?? "unknown"), and 2 (FULL) is needed"
        }
    }

    /// The size to which the WAL is truncated when it restarts from its beginning, in bytes.
    private static let walBytes = 64 << 20

    static var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "journal.sqlite"
        configuration.journalMode = .wal
        // Another process may read the database while the daemon runs.
        configuration.busyMode = .timeout(1)
        configuration.prepareDatabase { database in
            // The pragma takes effect on a new database only (SQLite, "PRAGMA auto_vacuum").
            try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
            try database.execute(sql: "PRAGMA journal_size_limit = \(walBytes)")
            // Removed text is overwritten with zeros (SQLite, "PRAGMA secure_delete").
            try database.execute(sql: "PRAGMA secure_delete = ON")
        }
        return configuration
    }

    /// Sets and checks `synchronous=FULL`, after GRDB has set NORMAL with WAL mode, which follows `prepareDatabase`.
    static func syncEachCommit(of database: DatabaseQueue) throws {
        let setting = try database.inDatabase { database in
            try database.execute(sql: "PRAGMA synchronous = FULL")
            return try Int.fetchOne(database, sql: "PRAGMA synchronous")
        }
        guard setting == 2 else { throw NotDurable(setting: setting) }
    }

    static func migrator(of tables: [any JournalTable.Type]) -> DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { database in
            try database.create(table: "request") { table in
                table.autoIncrementedPrimaryKey("sequence")
                table.column("appGroup", .text).notNull()
                table.column("id", .text).notNull()
                table.column("origin", .text).notNull()
                // The name of the file in the spool; NULL for a request that did not come from the spool.
                table.column("fileName", .text)
                table.column("fingerprint", .blob).notNull()
                // The body of the request, until it is emitted.
                table.column("body", .blob)
                table.column("receivedAt", .double).notNull()
                table.column("deadline", .double).notNull()
                table.column("attempts", .integer).notNull().defaults(to: 0)
                // The time of emission; NULL until the request is emitted.
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
                // Names of files in `values/`, which contain values that are too large for a row.
                table.add(column: "bodyFile", .text)
                table.add(column: "contentFile", .text)
                table.add(column: "contentBytes", .integer)
            }
            try database.execute(sql: "UPDATE request SET contentBytes = length(content) WHERE emittedAt IS NOT NULL")
            // Each result is in one of two partial indexes, by its retention. The index alone answers the query for the
            // sum of bytes.
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
        migrator.registerMigration("3") { database in
            try database.alter(table: "request") { table in
                // The name of the file in `values/` with the template that the body completes.
                table.add(column: "templateFile", .text)
            }
        }
        let migrations = (tables.flatMap { $0.migrations } + [(12, indexRecovery)]).sorted { $0.key < $1.key }
        for (number, migrate) in migrations { migrator.registerMigration("\(number)", migrate: migrate) }
        return migrator
    }

    /// Adds the indexes of the queries at a start, which would otherwise read each stored result.
    private static func indexRecovery(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE INDEX unfinalized ON request (sequence) WHERE emittedAt IS NOT NULL AND fileName IS NOT NULL;
                CREATE INDEX bodyFile ON request (bodyFile) WHERE bodyFile IS NOT NULL;
                CREATE INDEX contentFile ON request (contentFile) WHERE contentFile IS NOT NULL;
                CREATE INDEX templateFile ON request (templateFile) WHERE templateFile IS NOT NULL;
                """)
    }

    /// Returns whether the connection must not be used again. After a failed sync the kernel treats pages as written
    /// that are not on the disk. The next sync of the same descriptor then reports success.
    static func needsReopening(_ error: any Error) -> Bool {
        guard let error = error as? DatabaseError, !DiskSpace.isFull(error) else { return false }
        return error.resultCode == .SQLITE_IOERR
    }
}
