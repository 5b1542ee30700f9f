import Foundation
import GRDB
import NotificationModel
import SQLiteFiles

/// The database `journal.sqlite`. It contains accepted requests until they are emitted, and results until their
/// retention ends.
///
/// The database is in WAL mode with `synchronous=FULL`: a transaction is on the disk when it returns (SQLite, "PRAGMA
/// synchronous"). Large bodies and results are separate files (`ValueFiles`), and rows contain their names.
package struct JournalDatabase {
    /// A result and, if it is large, the name of its file.
    struct Result {
        var content: EmittedContent
        var contentFile: String?
    }

    let database: DatabaseQueue
    let files: ValueFiles
    let tables: [any JournalTable]

    /// Opens the journal of a directory, and creates it if it does not exist.
    init(directory: String, _ tables: [any JournalTable]) throws {
        self.tables = tables
        for table in tables { table.forgetRows() }
        files = ValueFiles(directory: directory + "/values")
        let migrator = Self.migrator(of: tables.map { type(of: $0) })
        // GRDB writes to a database when it opens it in WAL mode, and the journal of a newer version must not change.
        let reader = try? ReadOnlyDatabase.open(Self.path(in: directory))
        if let isNewer = try? reader?.read(migrator.hasBeenSuperseded), isNewer { throw NewerJournal() }
        try? reader?.close()
        database = try DatabaseQueue(path: Self.path(in: directory), configuration: Self.configuration)
        try Self.syncEachCommit(of: database)
        guard try !database.read(migrator.hasBeenSuperseded) else { throw NewerJournal() }
        try migrator.migrate(database)
    }

    /// Returns the number of the last migration of a journal, and that of this program; `nil` without a journal.
    static func versions(
        in directory: String, _ tables: [any JournalTable.Type]
    ) -> (stored: Int, own: Int)? {
        guard let reader = try? ReadOnlyDatabase.open(path(in: directory)),
            let stored = try? reader.read(StoreVersion.last)
        else { return nil }
        return (stored, migrator(of: tables).migrations.compactMap { Int($0) }.max() ?? 0)
    }

    static func path(in directory: String) -> String { directory + "/journal.sqlite" }

    /// Tells the tables that the database is open.
    func openTables() throws {
        try database.read { database in
            for table in tables { try table.open(database) }
        }
    }

    func close() { try? database.close() }

    /// Commits changes in one transaction.
    func commit(
        _ changes: [any JournalChange], isTaken: @escaping (RequestKey) -> Bool
    ) throws -> JournalEffects {
        try transaction(isTaken: isTaken) { transaction in
            for phase in JournalPhase.allCases {
                for change in changes where change.phase == phase { try change.apply(to: &transaction) }
            }
        }.effects
    }

    /// Calls a body in a transaction, and returns its value and the effects of the transaction.
    func transaction<Value>(
        at now: Date = .now, isTaken: @escaping (RequestKey) -> Bool = { _ in false },
        _ body: (inout JournalTransaction) throws -> Value
    ) throws -> (value: Value, effects: JournalEffects) {
        do {
            return try database.write { database in
                var transaction = JournalTransaction(
                    database: database, tables: tables, now: now.timeIntervalSince1970, isTaken: isTaken)
                let value = try body(&transaction)
                for table in tables { try table.finish(&transaction) }
                return (value, transaction.effects)
            }
        } catch {
            for table in tables { table.forgetRows() }
            throw error
        }
    }

    /// Returns the result of an id; `nil` if it has none. Large JSON is empty, because it is in a file.
    func result(of key: RequestKey) throws -> Result? {
        try database.read { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT appGroup, id, outcome, reason, content, contentFile FROM request
                    WHERE appGroup = ? AND id = ? AND emittedAt IS NOT NULL
                    """)
            return try Row.fetchOne(statement, arguments: key.columns)
                .flatMap(Result.init)
        }
    }
}
