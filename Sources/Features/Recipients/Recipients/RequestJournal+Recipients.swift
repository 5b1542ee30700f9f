import Base
package import GRDB
import LinuxIO
package import NotificationModel
package import RequestJournal

/// The tables of recipients.
package final class RecipientTable: JournalTable {
    /// The digests of erased recipients.
    package let suppression: Suppression
    let changes = RecipientChanges()
    let reader: JournalReader
    let lookups: RecipientLookups

    package init(_ context: JournalContext) {
        suppression = Suppression(directory: context.directory)
        reader = context.reader(for: .lookups)
        lookups = RecipientLookups(reader, suppression)
    }

    package static var erasedTables: [String] { ["receiver", "receiverName"] }
    package static var migrations: JournalMigrations { [4: RecipientRows.createTables] }

    package func open(_ database: Database) throws {
        changes.startAgain(try RecipientRows(database: database).totals())
    }

    package func isStale(_ mark: RecipientMark) -> Bool { changes.isStale(mark) }

    /// Removes the recipient of the target, or all recipients of the group, after their notifications.
    package func eraseRest(
        of step: ErasureStep, from journal: RequestJournal
    ) async throws(MediaFailure) -> ErasureCounts {
        var counts = ErasureCounts()
        let group = step.target.group
        var names: [String] = []
        switch step.target.kind {
        case .recipient:
            // The removal of a recipient that does not exist would lift its suppression.
            let id = RecipientName(group: group, name: step.target.name)
            if try await journal.read({ try RecipientRows(database: $0).find(id) }) != nil { names = [id.name] }
        case .group: names = try await journal.read { try RecipientRows(database: $0).ids(in: group, atMost: 200) }
        case .id, .providerID, .thread: break
        }
        guard !names.isEmpty else { return counts }
        let changes = names.map { RecipientChange(name: RecipientName(group: group, name: $0), kind: .remove) }
        for answer in await journal.apply(changes) {
            switch answer {
            case .removed: counts.recipients += 1
            case .failed: throw MediaFailure(.storageFailed, "a receiver cannot be removed")
            default: break
            }
        }
        return counts
    }
}

/// The changes of recipients that one caller makes together.
struct RecipientWrite: JournalChange {
    let changes: [RecipientChange]
    let table: RecipientTable
    let answers = Waiter<[RecipientAnswer]>()

    var phase: JournalPhase { .early }
    var byteCount: Int { changes.reduce(0) { $0 + $1.byteCount } }

    func apply(to transaction: inout JournalTransaction) throws {
        let given = try RecipientRows(database: transaction.database, suppression: table.suppression).apply(
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

/// The store of recipients: their settings, names and labels, in the journal's database.
///
/// Changes share the transactions of requests, so a change is on the disk when it is answered. Look-ups read the
/// database over a second connection, on a thread that syncs nothing.
extension RequestJournal: RecipientStoring {
    package nonisolated func recipient(_ name: RecipientName) async -> RecipientLookup {
        // The mark is taken before the read, so that a change between the two makes it stale.
        let table = self[RecipientTable.self]
        let (revision, isEmpty) = table.changes.current()
        let mark = RecipientMark(name: name, revision: revision)
        return isEmpty ? RecipientLookup(mark: mark, stored: nil) : await table.lookups.lookup(mark, on: lookupLoop)
    }

    package nonisolated func isStale(_ mark: RecipientMark) -> Bool { self[RecipientTable.self].isStale(mark) }

    package nonisolated func find(_ name: RecipientName) async -> RecipientAnswer {
        await lookupLoop.perform { [reader = self[RecipientTable.self].reader] in
            do {
                guard let found = try reader.read({ try RecipientRows(database: $0).find(name) }) else {
                    return .unknown
                }
                return .stored(found.recipient, isNew: false)
            } catch {
                return .failed(JournalFile.words(for: error))
            }
        }
    }

    package nonisolated func apply(_ changes: [RecipientChange]) async -> [RecipientAnswer] {
        let write = RecipientWrite(changes: changes, table: self[RecipientTable.self])
        add(write)
        return await write.answers.value()
    }

    package nonisolated func deadNames(among names: [String], in group: AppGroupName) async -> Set<String> {
        let table = self[RecipientTable.self]
        guard !table.changes.current().isEmpty else { return [] }
        return await lookupLoop.perform { [reader = table.reader] in
            let dead = try? reader.read { database in
                try names.filter { try RecipientRows(database: database).isDead(RecipientName(group: group, name: $0)) }
            }
            return Set(dead ?? [])
        }
    }
}

extension RequestJournal {
    /// Returns all names of a recipient, with the given one.
    package func names(of recipient: RecipientName) async throws(MediaFailure) -> [String] {
        let stored = try read { try RecipientRows(database: $0).find(recipient)?.recipient.allNames }
        return (stored ?? []).union([recipient.name]).sorted()
    }

    /// Stores the digests of names in place of an erased recipient, which is refused from then on. Repeated calls have no
    /// further effect.
    package func suppress(_ names: [RecipientName]) async -> Bool {
        let table = self[RecipientTable.self]
        do {
            try table.suppression.begin()
            let erased = names.compactMap(table.suppression.erasedName)
            guard let id = erased.first else { return false }
            var document = RecipientDocument()
            document.settings[.service] = false
            document.names = erased.dropFirst().map(\.name)
            guard case .stored? = await apply([RecipientChange(name: id, kind: .replace(document))]).first else {
                return false
            }
            // Requests that were planned before are planned again, and end without the recipient's data.
            table.changes.note(Set(names), try read { try RecipientRows(database: $0).totals() })
            return true
        } catch {
            warn("suppress", "an erased receiver cannot be suppressed: \(error)")
            return false
        }
    }
}
