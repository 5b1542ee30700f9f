import Base
import GRDB
import LinuxIO
package import NotificationModel

/// The tables of receivers.
struct ReceiverTable: JournalTable {
    /// The digests of erased receivers.
    let suppression: Suppression

    static var erasedTables: [String] { ["receiver", "receiverName"] }
    static var migrations: JournalMigrations { [4: ReceiverRows.createTables] }
}

/// The changes of receivers that one caller makes together.
struct ReceiverWrite: JournalChange {
    let changes: [ReceiverChange]
    let suppression: Suppression
    let answers = Waiter<[ReceiverAnswer]>()

    var phase: JournalPhase { .early }
    var byteCount: Int { changes.reduce(0) { $0 + $1.byteCount } }

    func apply(to transaction: inout JournalTransaction) throws {
        let given = try ReceiverRows(transaction.database, suppression).apply(changes, to: &transaction)
        transaction.afterCommit { _ in answers.resume(returning: given) }
    }

    func refuse(because problem: String) -> Bool {
        answers.resume(returning: changes.map { _ in .failed(problem) })
        return true
    }
}

/// The store of receivers: their settings, names and labels, in the journal's database.
///
/// Changes share the transactions of requests, so a change is on the disk when it is answered. Look-ups read the
/// database over a second connection, on a thread that syncs nothing.
extension RequestJournal: ReceiverStoring {
    package nonisolated func receiver(_ name: ReceiverName) async -> ReceiverLookup {
        // The mark is taken before the read, so that a change between the two makes it stale.
        let (revision, isEmpty) = receiverChanges.current()
        let mark = ReceiverMark(name: name, revision: revision)
        return isEmpty ? ReceiverLookup(mark: mark, stored: nil) : await receiverLookups.lookup(mark)
    }

    package nonisolated func isStale(_ mark: ReceiverMark) -> Bool { receiverChanges.isStale(mark) }

    package nonisolated func find(_ name: ReceiverName) async -> ReceiverAnswer {
        await lookupLoop.perform { [receiverReader] in
            do {
                guard let found = try receiverReader.read({ try ReceiverRows($0).find(name) }) else { return .unknown }
                return .stored(found.receiver, isNew: false)
            } catch {
                return .failed(JournalFile.words(for: error))
            }
        }
    }

    package nonisolated func apply(_ changes: [ReceiverChange]) async -> [ReceiverAnswer] {
        let write = ReceiverWrite(changes: changes, suppression: tables.receivers.suppression)
        add(write)
        return await write.answers.value()
    }

    package nonisolated func deadNames(among names: [String], in group: AppGroupName) async -> Set<String> {
        guard !receiverChanges.current().isEmpty else { return [] }
        return await lookupLoop.perform { [receiverReader] in
            let dead = try? receiverReader.read { database in
                try names.filter { try ReceiverRows(database).isDead(ReceiverName(group: group, name: $0)) }
            }
            return Set(dead ?? [])
        }
    }
}
