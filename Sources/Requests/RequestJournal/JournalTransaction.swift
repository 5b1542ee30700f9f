import Base
package import FoundationEssentials
package import GRDB
package import NotificationModel
import SQLiteFiles

/// A transaction of the journal's database: what its changes need, and the effects that follow its commit.
package struct JournalTransaction {
    package let database: Database
    let tables: [any JournalTable]
    /// The time of the transaction, in seconds since 1970.
    package let now: Double
    /// Returns whether the outbox contains a file of an id.
    let isTaken: (RequestKey) -> Bool
    /// The names of the recipients that this transaction has changed.
    package var changedNames: Set<RecipientName> = []
    package var effects = JournalEffects()

    /// Returns whether a recipient has changed since its look-up.
    func isStale(_ mark: RecipientMark) -> Bool {
        changedNames.contains(mark.name) || tables.contains { $0.isStale(mark) }
    }

    /// Returns the date that is a retention before the transaction.
    package func date(before retention: Duration) -> Date { Date(timeIntervalSince1970: now - retention.seconds) }

    /// Tells all tables of an event, so that each adds its own rows to the transaction.
    package mutating func record(_ event: JournalEvent) throws {
        for table in tables { try table.record(event, in: &self) }
    }

    /// Calls a function after the commit, on the thread of the journal.
    package mutating func afterCommit(_ body: @escaping (isolated RequestJournal) -> Void) {
        effects.afterCommit.append(body)
    }

    /// Deletes rows of requests, and notes their value files and sizes.
    package mutating func delete(_ condition: String, _ arguments: StatementArguments) throws {
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
package struct JournalEffects {
    /// The files that no row names any more.
    package var freedFiles: [String] = []
    /// The change of the size of all results, in bytes: added results minus deleted results.
    var resultBytes = 0
    package var deletedRows = 0
    /// The number of the last inserted request; `nil` if none was inserted.
    var lastSequence: Int?
    /// The functions that are called after the commit, in their order.
    var afterCommit: [(isolated RequestJournal) -> Void] = []
}

/// An event for which features add rows of their own, in the transaction of the event.
package enum JournalEvent {
    /// A request has got its first result.
    case emitted(EmittedContent)
    case receipt(Receipt, places: [Int])
    /// A recipient has opted out, or in again.
    case choice(Recipient)
    /// The requests after this row are discarded, because they were never acknowledged.
    case discarded(after: Int)
}

/// The functions that create and change tables, by the numbers of their versions. No two tables have the same number.
package typealias JournalMigrations = [Int: @Sendable (Database) throws -> Void]

/// A text that the journal keeps about a request of a group: its body or result, its row in a list, or a message.
package struct StoredText {
    /// The number of the row.
    package let place: Int
    package let key: RequestKey
    package let values: [StoredValue]
    /// Whether the text is a line of a campaign.
    package var isTemplated = false
    /// Whether another text about the request is counted as a mention instead of this one.
    package var isCopy = false

    package init(place: Int, key: RequestKey, values: [StoredValue]) {
        (self.place, self.key, self.values) = (place, key, values)
    }
}

/// The needs of a table: the journal's directory and limits, and connections that only read.
package final class JournalContext: Sendable {
    package let directory: String
    package let limits: ResultLimits
    private let readers = Guarded<[JournalReader.Purpose: JournalReader]>([:])

    package init(directory: String, limits: ResultLimits = ResultLimits()) {
        (self.directory, self.limits) = (directory, limits)
    }

    /// Returns the connection for a purpose, which the tables share. The journal closes it when it is closed.
    package func reader(for purpose: JournalReader.Purpose) -> JournalReader {
        readers.withLock { readers in
            let reader = readers[purpose] ?? JournalReader(path: JournalDatabase.path(in: directory), for: purpose)
            readers[purpose] = reader
            return reader
        }
    }

    func closeReaders() { for reader in readers.withLock({ $0 }).values { reader.close() } }
}

/// The tables that one feature has in the journal's database.
package protocol JournalTable: Sendable {
    init(_ context: JournalContext)

    /// The names of the tables from which an erasure removes rows.
    static var erasedTables: [String] { get }
    static var migrations: JournalMigrations { get }
    /// The columns with names of value files.
    static var fileColumns: [(table: String, column: String)] { get }

    /// Reads the values that the table keeps in memory. The journal calls the function each time it has opened the database.
    func open(_ database: Database) throws
    /// Returns whether another transaction has changed a recipient since its look-up.
    func isStale(_ mark: RecipientMark) -> Bool
    /// Adds the rows about an event.
    func record(_ event: JournalEvent, in transaction: inout JournalTransaction) throws
    /// Removes the rows about the notifications of a step.
    func erase(_ step: ErasureStep, in transaction: inout JournalTransaction) throws -> ErasureCounts
    /// Removes the rows about the target of the last step that belong to no notification.
    func eraseRest(of step: ErasureStep, from journal: RequestJournal) async throws(MediaFailure) -> ErasureCounts
    /// Returns the next texts about requests of a group, in which erasures search names.
    ///
    /// - Parameter place: The place of the last text that was returned; 0 at the beginning.
    func texts(in group: AppGroupName, after place: Int, atMost count: Int, _ database: Database) throws -> [StoredText]
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
    package static var fileColumns: [(table: String, column: String)] { [] }

    package func open(_ database: Database) throws {}
    package func isStale(_ mark: RecipientMark) -> Bool { false }
    package func record(_ event: JournalEvent, in transaction: inout JournalTransaction) throws {}
    package func erase(_ step: ErasureStep, in transaction: inout JournalTransaction) throws -> ErasureCounts {
        ErasureCounts()
    }
    package func eraseRest(
        of step: ErasureStep, from journal: RequestJournal
    ) async throws(MediaFailure) -> ErasureCounts { ErasureCounts() }
    package func texts(
        in group: AppGroupName, after place: Int, atMost count: Int, _ database: Database
    ) throws -> [StoredText] { [] }
    package func finish(_ transaction: inout JournalTransaction) throws {}
    package func removeOld(atMost count: Int, in transaction: inout JournalTransaction) throws -> Bool { false }
    package func forgetRows() {}
}

/// The tables of a journal that is open.
struct JournalTables: Sendable {
    let all: [any JournalTable]
    private let byType: [ObjectIdentifier: any JournalTable]

    init(_ types: [any JournalTable.Type], _ context: JournalContext) {
        all = types.map { $0.init(context) }
        byType = Dictionary(uniqueKeysWithValues: all.map { (ObjectIdentifier(type(of: $0)), $0) })
    }

    subscript<Table: JournalTable>(type: Table.Type) -> Table? { byType[ObjectIdentifier(type)] as? Table }
}
