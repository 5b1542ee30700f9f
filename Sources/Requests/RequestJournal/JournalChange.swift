import GRDB
import NotificationModel

/// A change that shares its transaction with all other changes that wait for the disk (group commit).
///
/// The journal calls `apply` in the transaction. After the commit it calls the functions that the change has passed to
/// `JournalTransaction.afterCommit`. If the transaction fails, the journal calls `refuse` instead. A change that is not
/// refused is applied again in a later transaction.
package protocol JournalChange: Sendable {
    var phase: JournalPhase { get }
    /// The approximate size of the write, in bytes.
    var byteCount: Int { get }
    /// The names of the value files that are removed if the change is refused.
    var files: [String] { get }

    func apply(to transaction: inout JournalTransaction) throws

    /// Answers that the disk does not take the change.
    ///
    /// - Returns: Whether the answer was given; `false` if the change waits for the next try.
    func refuse(because problem: String) -> Bool
}

extension JournalChange {
    package var byteCount: Int { 0 }
    package var files: [String] { [] }
}

/// The order of changes within their transaction.
package enum JournalPhase: CaseIterable {
    /// The changes that acceptances depend on: of recipients and messages, and the removal of finalized requests.
    case early
    case acceptances
    case results
    case late
}

/// The requests whose published results are on the disk. The rows of these requests are deleted.
struct FinalizedRequests: JournalChange {
    let keys: [RequestKey]

    var phase: JournalPhase { .early }

    func apply(to transaction: inout JournalTransaction) throws {
        for key in keys { try transaction.delete("appGroup = ? AND id = ?", key.columns) }
    }

    func refuse(because problem: String) -> Bool { false }
}

/// An unkeyed request whose result did not reach its caller. The result is kept as long as that of a keyed request.
struct UndeliveredRequest: JournalChange {
    let key: RequestKey

    var phase: JournalPhase { .early }

    func apply(to transaction: inout JournalTransaction) throws {
        try transaction.database.cachedStatement(
            sql: "UPDATE request SET origin = 'detached' WHERE appGroup = ? AND id = ? AND origin = 'call'"
        ).execute(arguments: key.columns)
    }

    func refuse(because problem: String) -> Bool { false }
}
