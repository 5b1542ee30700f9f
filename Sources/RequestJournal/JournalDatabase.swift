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
    /// An accepted request, with its result if it is already known.
    struct Acceptance {
        var entry: JournalEntry
        /// The name of the file of a large body; `nil` if the row contains the body.
        var bodyFile: String?
        var result: Result?

        /// The names of the files of large values.
        var files: [String] { [bodyFile, result?.contentFile].compactMap(\.self) }
        /// The size of the value that the journal keeps, in bytes: the result, or the body without a result.
        var byteCount: Int { result?.content.json.count ?? entry.body.count }
    }

    /// A result and, if it is large, the name of its file.
    struct Result {
        var content: EmittedContent
        var contentFile: String?
    }

    /// The changes of one transaction.
    struct Changes {
        var acceptances: [Acceptance] = []
        var results: [Result] = []
        /// The requests whose published results are on the disk. The rows of these requests are deleted.
        var finalized: [RequestKey] = []
        /// The unkeyed requests whose result did not reach its caller, and is kept as long as that of a keyed request.
        var undelivered: [RequestKey] = []
        /// The changes of receivers, which come before the acceptances.
        var receivers: [ReceiverChange] = []
        /// The changes of named messages, with the files of their large values.
        var messages: [MessageWrite] = []
        var receipts: [ReceiptWrite] = []
        var callbacks: [CallbackWrite.Change] = []
        /// The targets of messages about results and receipts; `nil` if there are none.
        var routing: CallbackRouting?
    }

    /// The effect of a transaction.
    struct Written {
        /// One answer for each acceptance; `nil` if the id becomes free when its earlier request is finalized.
        var answers: [JournalAnswer?] = []
        /// The files that no row names any more.
        var freedFiles: [String] = []
        /// The change of the size of all results, in bytes: added results minus deleted results.
        var resultBytes = 0
        var deletedRows = 0
        /// The number of notifications that were added to the lists.
        var listed = 0
        /// The number of the last inserted row; `nil` if no row was inserted.
        var lastSequence: Int?
        /// One answer for each change of a receiver.
        var receiverAnswers: [ReceiverAnswer] = []
        /// The counts after the changes of receivers; `nil` if there were none.
        var receiverTotals: ReceiverTotals?
        /// The receivers that have opted out, or in again.
        var optOuts: [Receiver] = []
        /// The names of the changed receivers.
        var changedNames: Set<ReceiverName> = []
        /// One answer for each change of a named message.
        var messageAnswers: [MessageAnswer] = []
        /// One answer for each change of callbacks.
        var callbackAnswers: [CallbackWrite.Answer] = []
        /// The targets that have got messages.
        var callbackTargets: Set<String> = []
        /// A request whose callback URL no target permits.
        var unroutedCallback: RequestKey?
    }

    let database: DatabaseQueue
    let files: ValueFiles
    /// Whether emitted notifications are listed.
    private let lists: Bool
    private let words = ListWords()
    let suppression: Suppression

    /// Opens the journal of a directory, and creates it if it does not exist.
    ///
    /// - Parameter lists: Whether emitted notifications are listed.
    init(directory: String, lists: Bool = true) throws {
        self.lists = lists
        suppression = Suppression(directory: directory)
        files = ValueFiles(directory: directory + "/values")
        // GRDB writes to a database when it opens it in WAL mode, and the journal of a newer version must not change.
        let reader = try? ReadOnlyDatabase.open(Self.path(in: directory))
        if let isNewer = try? reader?.read(Self.migrator.hasBeenSuperseded), isNewer { throw NewerJournal() }
        try? reader?.close()
        database = try DatabaseQueue(path: Self.path(in: directory), configuration: Self.configuration)
        try Self.syncEachCommit(of: database)
        guard try !database.read(Self.migrator.hasBeenSuperseded) else { throw NewerJournal() }
        try Self.migrator.migrate(database)
    }

    static func path(in directory: String) -> String { directory + "/journal.sqlite" }

    func close() { try? database.close() }

    /// Commits changes in one transaction. `isTaken` returns whether the outbox contains a file of an id, and `isStale`
    /// whether an earlier transaction has changed a receiver since its look-up.
    func write(
        _ changes: Changes, isTaken: (RequestKey) -> Bool, isStale: (ReceiverMark) -> Bool = { _ in false }
    ) throws -> Written {
        do { return try commit(changes, isTaken, isStale) } catch {
            words.forget()
            throw error
        }
    }

    private func commit(
        _ changes: Changes, _ isTaken: (RequestKey) -> Bool, _ isStale: (ReceiverMark) -> Bool
    ) throws -> Written {
        try database.write { database in
            var written = Written()
            let now = Date().timeIntervalSince1970
            if !changes.receivers.isEmpty { try ReceiverRows(database, suppression).apply(changes.receivers, &written) }
            if let routing = changes.routing {
                for receiver in written.optOuts {
                    written.callbackTargets.formUnion(
                        try CallbackRows(database).add(optOutOf: receiver, at: now, by: routing))
                }
            }
            for write in changes.messages { try MessageRows(database).apply(write, &written) }
            for key in changes.finalized {
                try Self.delete(
                    "appGroup = ? AND id = ?", [key.group.description, key.id.description], in: database, &written)
            }
            for key in changes.undelivered {
                try database.cachedStatement(
                    sql: "UPDATE request SET origin = 'detached' WHERE appGroup = ? AND id = ? AND origin = 'call'"
                ).execute(arguments: [key.group.description, key.id.description])
            }
            for acceptance in changes.acceptances {
                if let mark = acceptance.entry.receiver, written.changedNames.contains(mark.name) || isStale(mark) {
                    written.freedFiles += acceptance.files
                    written.answers.append(.stale)
                    continue
                }
                let answer = try Self.accept(acceptance, at: now, in: database, isTaken: isTaken)
                switch answer {
                case .accepted:
                    written.lastSequence = Int(database.lastInsertedRowID)
                    if let content = acceptance.result?.content {
                        written.resultBytes += content.json.count
                        try list(content, at: now, in: database, &written)
                        try callBack(content, at: now, in: database, changes.routing, &written)
                    }
                case .known, .stale, .failed: written.freedFiles += acceptance.files
                // The acceptance stays in the journal's memory, and a later transaction tries it again.
                case nil: break
                }
                written.answers.append(answer)
            }
            for result in changes.results {
                // Without targets, the row is not read.
                let isFirst = try changes.routing != nil && CallbackRows(database).awaitsResult(result.content.key)
                try Self.emit(result, at: now, in: database)
                written.resultBytes += result.content.json.count
                try list(result.content, at: now, in: database, &written)
                if isFirst { try callBack(result.content, at: now, in: database, changes.routing, &written) }
            }
            for write in changes.receipts {
                let places = try ReceiptRows(database).add(write)
                guard let routing = changes.routing else { continue }
                for listed in try places.compactMap(ListRows(database).notification) {
                    written.callbackTargets.formUnion(
                        try CallbackRows(database).add(write.receipt, of: listed, at: now, by: routing))
                }
            }
            written.callbackAnswers = try changes.callbacks.map(CallbackRows(database).apply)
            if written.listed > 0 { try ListRows(database).change(totalBy: written.listed) }
            return written
        }
    }

    private func list(
        _ content: EmittedContent, at now: Double, in database: Database, _ written: inout Written
    ) throws {
        guard lists, let names = content.facts?.names else { return }
        try ListRows(database).add(content, names, at: now, words)
        written.listed += 1
    }

    /// Adds the messages about a result to callback targets, in the transaction of the result.
    private func callBack(
        _ content: EmittedContent, at now: Double, in database: Database, _ routing: CallbackRouting?,
        _ written: inout Written
    ) throws {
        if let url = content.facts?.callback, routing?.target(forRequestURL: url, in: content.key.group) == nil {
            written.unroutedCallback = content.key
        }
        guard let routing else { return }
        written.callbackTargets.formUnion(try CallbackRows(database).add(content, at: now, by: routing))
    }

    /// Deletes rows, and records their value files and sizes.
    static func delete(
        _ condition: String, _ arguments: StatementArguments, in database: Database, _ written: inout Written
    ) throws {
        let statement = try database.cachedStatement(
            sql: "DELETE FROM request WHERE \(condition) RETURNING contentBytes, contentFile, bodyFile")
        for row in try Row.fetchAll(statement, arguments: arguments) {
            written.deletedRows += 1
            written.resultBytes -= row.value(of: "contentBytes") ?? 0
            written.freedFiles += ["contentFile", "bodyFile"].compactMap { row.value(of: $0) as String? }
        }
    }

    private static func accept(
        _ acceptance: Acceptance, at now: Double, in database: Database, isTaken: (RequestKey) -> Bool
    ) throws -> JournalAnswer? {
        let entry = acceptance.entry
        // The id of an unkeyed call is new, so no file has it.
        let isTaken = entry.channel != .call && isTaken(entry.key)
        if !isTaken, try insert(acceptance, at: now, in: database) { return .accepted }
        let known = try database.cachedStatement(
            sql: """
                SELECT fingerprint, emittedAt IS NOT NULL AND fileName IS NOT NULL AS isPublished FROM request
                WHERE appGroup = ? AND id = ?
                """)
        guard let row = try Row.fetchOne(known, arguments: [entry.key.group.description, entry.key.id.description])
        else { return .known(fingerprint: nil) }
        if row["isPublished"], !isTaken { return nil }
        return .known(fingerprint: Array(row["fingerprint"] as Data))
    }

    /// Inserts the row of a request, and returns `false` if another row has its id.
    private static func insert(_ acceptance: Acceptance, at now: Double, in database: Database) throws -> Bool {
        let entry = acceptance.entry
        let (origin, fileName) = entry.channel.columns
        try database.cachedStatement(
            sql: """
                INSERT INTO request
                    (appGroup, id, origin, fileName, fingerprint, body, bodyFile, templateFile, receivedAt, deadline,
                    attempts, emittedAt, outcome, reason, content, contentFile, contentBytes)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT DO NOTHING
                """
        ).execute(
            arguments: [
                entry.key.group.description, entry.key.id.description, origin, fileName, Data(entry.fingerprint),
                acceptance.result == nil && acceptance.bodyFile == nil ? Data(entry.body) : nil, acceptance.bodyFile,
                acceptance.result == nil ? entry.template?.name : nil, entry.receivedAt.timeIntervalSince1970,
                entry.deadline.timeIntervalSince1970, entry.attempts,
            ] + (acceptance.result?.columns(at: now) ?? Result.noColumns))
        return database.changesCount > 0
    }

    private static func emit(_ result: Result, at now: Double, in database: Database) throws {
        let key = result.content.key
        try database.cachedStatement(
            sql: """
                UPDATE request SET emittedAt = ?, outcome = ?, reason = ?, content = ?, contentFile = ?,
                    contentBytes = ?, body = NULL, bodyFile = NULL, templateFile = NULL
                WHERE appGroup = ? AND id = ?
                """
        ).execute(arguments: result.columns(at: now) + [key.group.description, key.id.description])
    }

    /// Returns the result of an id; `nil` if it has none. Large JSON is empty, because it is in a file.
    func result(of key: RequestKey) throws -> Result? {
        try database.read { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT appGroup, id, outcome, reason, content, contentFile FROM request
                    WHERE appGroup = ? AND id = ? AND emittedAt IS NOT NULL
                    """)
            return try Row.fetchOne(statement, arguments: [key.group.description, key.id.description])
                .flatMap(Result.init)
        }
    }
}
