import Base
import FoundationEssentials
import GRDB
import NotificationModel
import SQLiteFiles

/// A transaction of the journal's database: what its changes need, and the effects that follow its commit.
struct JournalTransaction {
    let database: Database
    let tables: [any JournalTable]
    /// The time of the transaction, in seconds since 1970.
    let now: Double
    /// Returns whether the outbox contains a file of an id.
    let isTaken: (RequestKey) -> Bool
    /// Returns whether an earlier transaction has changed a receiver since its look-up.
    let isStale: (ReceiverMark) -> Bool
    /// The names of the receivers that this transaction has changed.
    var changedNames: Set<ReceiverName> = []
    var effects = JournalEffects()

    /// Returns the date that is a retention before the transaction.
    func date(before retention: Duration) -> Date { Date(timeIntervalSince1970: now - retention.seconds) }

    /// Tells all tables of an event, so that each adds its own rows to the transaction.
    mutating func record(_ event: JournalEvent) throws {
        for table in tables { try table.record(event, in: &self) }
    }

    /// Calls a function after the commit, on the thread of the journal.
    mutating func afterCommit(_ body: @escaping (isolated RequestJournal) -> Void) { effects.afterCommit.append(body) }

    /// Deletes rows of requests, and notes their value files and sizes.
    mutating func delete(_ condition: String, _ arguments: StatementArguments) throws {
        let statement = try database.cachedStatement(
            sql: "DELETE FROM request WHERE \(condition) RETURNING contentBytes, contentFile, bodyFile")
        for row in try Row.fetchAll(statement, arguments: arguments) {
            effects.deletedRows += 1
            effects.resultBytes -= row.value(of: "contentBytes") ?? 0
            effects.freedFiles += ["contentFile", "bodyFile"].compactMap { row.value(of: $0) as String? }
        }
    }
}

/// The effects of a transaction outside of the database.
struct JournalEffects {
    /// The files that no row names any more.
    var freedFiles: [String] = []
    /// The change of the size of all results, in bytes: added results minus deleted results.
    var resultBytes = 0
    var deletedRows = 0
    /// The number of the last inserted request; `nil` if none was inserted.
    var lastSequence: Int?
    /// The functions that are called after the commit, in their order.
    var afterCommit: [(isolated RequestJournal) -> Void] = []
}

/// An event for which features add rows of their own, in the transaction of the event.
enum JournalEvent {
    /// A request has got its first result.
    case emitted(EmittedContent)
    case receipt(Receipt, places: [Int])
    /// A receiver has opted out, or in again.
    case choice(Receiver)
    /// The requests after this row are discarded, because they were never acknowledged.
    case discarded(after: Int)
}

/// The functions that create and change tables, by the numbers of their versions. No two tables have the same number.
typealias JournalMigrations = [Int: @Sendable (Database) throws -> Void]

/// The tables that one feature has in the journal's database.
protocol JournalTable: Sendable {
    /// The names of the tables from which an erasure removes rows.
    static var erasedTables: [String] { get }
    static var migrations: JournalMigrations { get }
    /// The columns with names of value files.
    static var fileColumns: [(table: String, column: String)] { get }

    /// Adds the rows about an event.
    func record(_ event: JournalEvent, in transaction: inout JournalTransaction) throws
    /// Removes the rows about the notifications of a step.
    func erase(_ step: ErasureStep, in transaction: inout JournalTransaction) throws -> ErasureCounts
    /// Writes what the changes of the transaction have in common, after all of them.
    func finish(_ transaction: inout JournalTransaction) throws
    /// Removes old rows, at most `count` of each kind.
    ///
    /// - Returns: Whether more rows may be removed at once.
    func removeOld(atMost count: Int, in transaction: inout JournalTransaction) throws -> Bool
    /// Forgets values that were read from rows, because a transaction was rolled back, or the database was reopened.
    func forgetRows()
}

extension JournalTable {
    static var fileColumns: [(table: String, column: String)] { [] }

    func record(_ event: JournalEvent, in transaction: inout JournalTransaction) throws {}
    func erase(_ step: ErasureStep, in transaction: inout JournalTransaction) throws -> ErasureCounts {
        ErasureCounts()
    }
    func finish(_ transaction: inout JournalTransaction) throws {}
    func removeOld(atMost count: Int, in transaction: inout JournalTransaction) throws -> Bool { false }
    func forgetRows() {}
}

/// The tables of all features.
struct JournalTables: Sendable {
    let receivers: ReceiverTable
    let lists: ListTable
    let erasures: ErasureTable
    let messages = MessageTable()
    let receipts = ReceiptTable()
    let callbacks: CallbackTable

    init(directory: String, _ limits: ResultLimits = ResultLimits()) {
        receivers = ReceiverTable(suppression: Suppression(directory: directory))
        lists = ListTable(limits: limits.lists)
        erasures = ErasureTable(retention: limits.lists.retention)
        callbacks = CallbackTable(limits: limits.callbacks)
    }

    var all: [any JournalTable] { [receivers, lists, erasures, messages, receipts, callbacks] }

    static let types: [any JournalTable.Type] = [
        ReceiverTable.self, ListTable.self, ErasureTable.self, MessageTable.self, ReceiptTable.self, CallbackTable.self,
    ]
}
