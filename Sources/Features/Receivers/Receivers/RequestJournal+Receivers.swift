import Base
package import GRDB
import LinuxIO
package import NotificationModel
package import RequestJournal

/// The tables of receivers.
package final class ReceiverTable: JournalTable {
    /// The digests of erased receivers.
    package let suppression: Suppression
    let changes = ReceiverChanges()
    let reader: JournalReader
    let lookups: ReceiverLookups

    package init(_ context: JournalContext) {
        suppression = Suppression(directory: context.directory)
        reader = context.reader(for: .lookups)
        lookups = ReceiverLookups(reader, suppression)
    }

    package static var erasedTables: [String] { ["receiver", "receiverName"] }
    package static var migrations: JournalMigrations { [4: ReceiverRows.createTables] }

    package func open(_ database: Database) throws { changes.startAgain(try ReceiverRows(database: database).totals()) }

    package func isStale(_ mark: ReceiverMark) -> Bool { changes.isStale(mark) }

    /// Removes the receiver of the target, or all receivers of the group, after their notifications.
    package func eraseRest(
        of step: ErasureStep, from journal: RequestJournal
    ) async throws(MediaFailure) -> ErasureCounts {
        var counts = ErasureCounts()
        let group = step.target.group
        var names: [String] = []
        switch step.target.kind {
        case .recipient:
            // The removal of a receiver that does not exist would lift its suppression.
            let id = ReceiverName(group: group, name: step.target.name)
            if try await journal.read({ try ReceiverRows(database: $0).find(id) }) != nil { names = [id.name] }
        case .group: names = try await journal.read { try ReceiverRows(database: $0).ids(in: group, atMost: 200) }
        case .id, .providerID, .thread: break
        }
        guard !names.isEmpty else { return counts }
        let changes = names.map { ReceiverChange(name: ReceiverName(group: group, name: $0), kind: .remove) }
        for answer in await journal.apply(changes) {
            switch answer {
            case .removed: counts.receivers += 1
            case .failed: throw MediaFailure(.storageFailed, "a receiver cannot be removed")
            default: break
            }
        }
        return counts
    }
}

/// The changes of receivers that one caller makes together.
struct ReceiverWrite: JournalChange {
    let changes: [ReceiverChange]
    let table: ReceiverTable
    let answers = Waiter<[ReceiverAnswer]>()

    var phase: JournalPhase { .early }
    var byteCount: Int { changes.reduce(0) { $0 + $1.byteCount } }

    func apply(to transaction: inout JournalTransaction) throws {
        let given = try ReceiverRows(database: transaction.database, suppression: table.suppression).apply(
            changes, to: &transaction)
        let (names, totals) = (given.changed, given.totals)
        transaction.afterCommit { _ in
            table.changes.note(names, totals)
            answers.resume(returning: given.answers)
        }
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
        let table = self[ReceiverTable.self]
        let (revision, isEmpty) = table.changes.current()
        let mark = ReceiverMark(name: name, revision: revision)
        return isEmpty ? ReceiverLookup(mark: mark, stored: nil) : await table.lookups.lookup(mark, on: lookupLoop)
    }

    package nonisolated func isStale(_ mark: ReceiverMark) -> Bool { self[ReceiverTable.self].isStale(mark) }

    package nonisolated func find(_ name: ReceiverName) async -> ReceiverAnswer {
        await lookupLoop.perform { [reader = self[ReceiverTable.self].reader] in
            do {
                guard let found = try reader.read({ try ReceiverRows(database: $0).find(name) }) else {
                    return .unknown
                }
                return .stored(found.receiver, isNew: false)
            } catch {
                return .failed(JournalFile.words(for: error))
            }
        }
    }

    package nonisolated func apply(_ changes: [ReceiverChange]) async -> [ReceiverAnswer] {
        let write = ReceiverWrite(changes: changes, table: self[ReceiverTable.self])
        add(write)
        return await write.answers.value()
    }

    package nonisolated func deadNames(among names: [String], in group: AppGroupName) async -> Set<String> {
        let table = self[ReceiverTable.self]
        guard !table.changes.current().isEmpty else { return [] }
        return await lookupLoop.perform { [reader = table.reader] in
            let dead = try? reader.read { database in
                try names.filter { try ReceiverRows(database: database).isDead(ReceiverName(group: group, name: $0)) }
            }
            return Set(dead ?? [])
        }
    }
}

extension RequestJournal {
    /// Returns all names of a receiver, with the given one.
    package func names(of receiver: ReceiverName) async throws(MediaFailure) -> [String] {
        let stored = try read { try ReceiverRows(database: $0).find(receiver)?.receiver.allNames }
        return (stored ?? []).union([receiver.name]).sorted()
    }

    /// Stores the digests of names in place of an erased receiver, which is refused from then on. Repeated calls have no
    /// further effect.
    package func suppress(_ names: [ReceiverName]) async -> Bool {
        let table = self[ReceiverTable.self]
        do {
            try table.suppression.begin()
            let erased = names.compactMap(table.suppression.erasedName)
            guard let id = erased.first else { return false }
            var document = ReceiverDocument()
            document.settings[.service] = false
            document.names = erased.dropFirst().map(\.name)
            guard case .stored? = await apply([ReceiverChange(name: id, kind: .replace(document))]).first else {
                return false
            }
            // Requests that were planned before are planned again, and end without the receiver's data.
            table.changes.note(Set(names), try read { try ReceiverRows(database: $0).totals() })
            return true
        } catch {
            warn("suppress", "an erased receiver cannot be suppressed: \(error)")
            return false
        }
    }
}
