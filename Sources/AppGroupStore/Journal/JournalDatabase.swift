import Foundation
import GRDB
import NotificationModel

/// `journal.sqlite`: accepted requests until they are emitted, and results for as long as they are kept.
///
/// `synchronous=FULL` in WAL mode: what a transaction wrote is on the disk when it returns (SQLite, "PRAGMA
/// synchronous").
struct JournalDatabase {
    /// A result whose publication is not known to be on the disk.
    struct Unsettled {
        var content: EmittedContent
        var fileName: String
    }

    /// What an older program writes into a newer one's tables, neither could count on.
    struct NewerJournal: Error, CustomStringConvertible {
        let description = "a newer appgroupd has made it: start that one, or name another root"
    }

    let database: DatabaseQueue

    init(path: String) throws {
        var configuration = Configuration()
        configuration.label = "journal.sqlite"
        configuration.journalMode = .wal
        // Somebody may look into it.
        configuration.busyMode = .timeout(1)
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        database = try DatabaseQueue(path: path, configuration: configuration)
        guard try !database.read(Self.migrator.hasBeenSuperseded) else { throw NewerJournal() }
        try Self.migrator.migrate(database)
    }

    func close() { try? database.close() }

    /// Whether there was no room for what was to be written. The index of the WAL, in the file `-shm`, has errors of its
    /// own when it cannot grow.
    static func isFull(_ error: any Error) -> Bool {
        guard let error = error as? DatabaseError else { return false }
        return error.resultCode == .SQLITE_FULL || error.extendedResultCode == .SQLITE_IOERR_SHMSIZE
    }

    private static var migrator: DatabaseMigrator {
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
        return migrator
    }

    /// One transaction.
    ///
    /// - Parameter isTaken: whether the outbox holds an id's file.
    /// - Returns: an answer for each accepted entry; `nil` for one whose id is free as soon as what had it is settled.
    func write(
        accepting entries: [JournalEntry], emitting contents: [EmittedContent], forgetting settled: [RequestKey],
        isTaken: (RequestKey) -> Bool
    ) throws -> [JournalAnswer?] {
        try database.write { database in
            for key in settled {
                try database.cachedStatement(sql: "DELETE FROM request WHERE appGroup = ? AND id = ?")
                    .execute(arguments: [key.group.description, key.id.description])
            }
            let answers = try entries.map { try Self.accept($0, in: database, isTaken: isTaken) }
            let now = Date().timeIntervalSince1970
            for content in contents { try Self.emit(content, at: now, in: database) }
            return answers
        }
    }

    private static func accept(
        _ entry: JournalEntry, in database: Database, isTaken: (RequestKey) -> Bool
    ) throws -> JournalAnswer? {
        let known = try database.cachedStatement(
            sql: """
                SELECT fingerprint, emittedAt IS NOT NULL AND fileName IS NOT NULL AS isPublished FROM request
                WHERE appGroup = ? AND id = ?
                """)
        let isTaken = isTaken(entry.key)
        if let row = try Row.fetchOne(
            known, arguments: [entry.key.group.description, entry.key.id.description])
        {
            if row["isPublished"], !isTaken { return nil }
            return .known(fingerprint: Array(row["fingerprint"] as Data))
        }
        if isTaken { return .known(fingerprint: nil) }
        let (origin, fileName) = entry.origin.columns
        try database.cachedStatement(
            sql: """
                INSERT INTO request (appGroup, id, origin, fileName, fingerprint, body, receivedAt, deadline, attempts)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            entry.key.group.description, entry.key.id.description, origin, fileName, Data(entry.fingerprint),
            Data(entry.body), entry.receivedAt.timeIntervalSince1970, entry.deadline.timeIntervalSince1970,
            entry.attempts,
        ])
        return .accepted
    }

    private static func emit(_ content: EmittedContent, at now: Double, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                UPDATE request SET emittedAt = ?, outcome = ?, reason = ?, content = ?, body = NULL
                WHERE appGroup = ? AND id = ?
                """
        ).execute(arguments: [
            now, content.outcome.rawValue, content.reason?.rawValue, Data(content.json), content.key.group.description,
            content.key.id.description,
        ])
    }

    func content(of key: RequestKey) throws -> EmittedContent? {
        try database.read { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT appGroup, id, outcome, reason, content FROM request
                    WHERE appGroup = ? AND id = ? AND emittedAt IS NOT NULL
                    """)
            return try Row.fetchOne(statement, arguments: [key.group.description, key.id.description])
                .flatMap(EmittedContent.init)
        }
    }

    // MARK: After a restart

    /// From the spool, with a result.
    func unsettled() throws -> [Unsettled] {
        try database.read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT * FROM request WHERE emittedAt IS NOT NULL AND fileName IS NOT NULL ORDER BY sequence"
            ).compactMap { row in
                EmittedContent(row).map { Unsettled(content: $0, fileName: row["fileName"]) }
            }
        }
    }

    /// Without a result, oldest first.
    ///
    /// - Parameter count: how many may have been worked on: the oldest of them are counted as tried once more. The
    ///   others never had their turn.
    func unemitted(tried count: Int) throws -> [JournalEntry] {
        try database.write { database in
            try database.execute(
                sql: """
                    UPDATE request SET attempts = attempts + 1 WHERE sequence IN (
                        SELECT sequence FROM request WHERE emittedAt IS NULL ORDER BY sequence LIMIT ?)
                    """, arguments: [count])
            return try Row.fetchAll(
                database, sql: "SELECT * FROM request WHERE emittedAt IS NULL ORDER BY sequence"
            ).compactMap(JournalEntry.init)
        }
    }

    func forget(emittedBefore date: Date) throws {
        try database.write { database in
            try database.execute(
                sql: "DELETE FROM request WHERE emittedAt < ? AND fileName IS NULL",
                arguments: [date.timeIntervalSince1970])
        }
    }
}
