import Foundation
import GRDB
import NotificationModel
import RequestJournal

/// The changes of receivers within a transaction.
extension ReceiverRows {
    /// Applies changes, and returns their answers with the changed names and the new totals.
    func apply(
        _ changes: [ReceiverChange], to transaction: inout JournalTransaction
    ) throws -> (answers: [ReceiverAnswer], changed: Set<ReceiverName>, totals: ReceiverTotals) {
        var (totals, changed): (ReceiverTotals, Set<ReceiverName>) = (try totals(), [])
        // A whole number of seconds is the same after it is read from the disk.
        let now = Date(timeIntervalSince1970: transaction.now.rounded(.down))
        let answers = try changes.map { try apply($0, at: now, &totals, &changed, &transaction) }
        try database.cachedStatement(sql: "UPDATE receiverTotals SET changes = ?, receivers = ?").execute(
            arguments: [totals.changes, totals.receivers])
        transaction.changedNames.formUnion(changed)
        return (answers, changed, totals)
    }

    private func apply(
        _ change: ReceiverChange, at now: Date, _ totals: inout ReceiverTotals, _ changed: inout Set<ReceiverName>,
        _ transaction: inout JournalTransaction
    ) throws -> ReceiverAnswer {
        let found = try find(change.name)
        guard change.condition.isMet(by: found?.receiver.version) else {
            return .otherVersion(found?.receiver.version)
        }
        if found == nil, let erased = try suppression?.erasedName(of: change.name).flatMap(find) {
            guard case .remove = change.kind else {
                return .unusable(
                    ReceiverError(
                        key: "id", problem: "names an erased receiver: remove it first, to lift the suppression"))
            }
            changed.insert(change.name)
            return try remove(erased.receiver, erased.number, &totals, &changed)
        }
        if case .remove = change.kind {
            guard let found else { return .unknown }
            return try remove(found.receiver, found.number, &totals, &changed)
        }
        let (old, id) = (found?.receiver, found?.receiver.id ?? change.name)
        let document: ReceiverDocument
        do throws(ReceiverError) { document = try Self.document(after: change, of: old, id, at: now) } catch {
            return .unusable(error)
        }
        let receiver = Receiver(
            id: id, document: document, version: totals.changes + 1, updatedAt: now, hash: Self.hash(of: id))
        if old == nil, totals.receivers >= Self.maxReceivers { return .full(most: Self.maxReceivers) }
        let names = receiver.allNames
        for name in names.subtracting(old?.allNames ?? []).sorted() where name != change.name.name {
            if let owner = try find(ReceiverName(group: id.group, name: name)) {
                return .nameInUse(name, owner: owner.receiver.id.name)
            }
        }
        let number = try store(receiver, as: found?.number)
        try store(names, of: receiver, number, in: old)
        totals.changes += 1
        if old == nil { totals.receivers += 1 }
        changed.formUnion(
            names.union(old?.allNames ?? []).map { ReceiverName(group: id.group, name: $0) })
        // The digest of an erased receiver is no name that a provider knows.
        if receiver.permitsService != old?.permitsService ?? true, !id.name.hasPrefix(Suppression.mark) {
            try transaction.record(.choice(receiver))
        }
        return .stored(receiver, isNew: old == nil)
    }

    /// Returns the document of a receiver after a change.
    private static func document(
        after change: ReceiverChange, of old: Receiver?, _ id: ReceiverName, at now: Date
    ) throws(ReceiverError) -> ReceiverDocument {
        var document = old?.document ?? ReceiverDocument()
        switch change.kind {
        case .remove: break
        case .replace(let whole):
            let dead = document.dead
            document = whole
            document.dead = dead
            document.revive(document.names)
        case .patch(let patch): document = try document.patched(by: patch, of: id.name, at: now)
        }
        document.names.removeAll { $0 == id.name }
        // The receiver keeps the name under which the caller knows it.
        let known = [id.name] + document.names + document.dead.map(\.name)
        if !known.contains(change.name.name) { document.names.append(change.name.name) }
        let most = ReceiverDocument.maxNames - 1
        guard document.names.count <= most else {
            throw ReceiverError(key: "names", problem: "has more than \(most) names beside the id")
        }
        return document
    }

    private func remove(
        _ receiver: Receiver, _ number: Int, _ totals: inout ReceiverTotals, _ changed: inout Set<ReceiverName>
    ) throws -> ReceiverAnswer {
        try database.cachedStatement(sql: "DELETE FROM receiver WHERE number = ?").execute(arguments: [number])
        for name in receiver.allNames { try remove(name, of: receiver) }
        totals.changes += 1
        totals.receivers -= 1
        changed.formUnion(receiver.allNames.map { ReceiverName(group: receiver.id.group, name: $0) })
        return .removed
    }

    /// Writes the row of a receiver, and returns its number.
    private func store(_ receiver: Receiver, as number: Int?) throws -> Int {
        let settings = receiver.document.settings
        let columns: StatementArguments = [
            Int(settings.statedBits), Int(settings.trueBits), settings.locale, receiver.document.stored,
            receiver.version, receiver.updatedAt.timeIntervalSince1970,
        ]
        guard let number else {
            try database.cachedStatement(
                sql: """
                    INSERT INTO receiver (stated, allowed, locale, rest, version, updatedAt, appGroup, id)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """
            ).execute(arguments: columns + [receiver.id.group.description, receiver.id.name])
            return Int(database.lastInsertedRowID)
        }
        try database.cachedStatement(
            sql: """
                UPDATE receiver SET stated = ?, allowed = ?, locale = ?, rest = ?, version = ?, updatedAt = ?
                WHERE number = ?
                """
        ).execute(arguments: columns + [number])
        return number
    }

    /// Writes the rows of the names that have changed.
    private func store(_ names: Set<String>, of receiver: Receiver, _ number: Int, in old: Receiver?) throws {
        let oldNames = old?.allNames ?? []
        for name in oldNames.subtracting(names) { try remove(name, of: receiver) }
        let dead = Set(receiver.document.dead.map(\.name))
        let oldDead = Set(old?.document.dead.map(\.name) ?? [])
        for name in names where !oldNames.contains(name) || dead.contains(name) != oldDead.contains(name) {
            try database.cachedStatement(
                sql: "INSERT OR REPLACE INTO receiverName (appGroup, name, receiver, isDead) VALUES (?, ?, ?, ?)"
            ).execute(arguments: [receiver.id.group.description, name, number, dead.contains(name)])
        }
    }

    private func remove(_ name: String, of receiver: Receiver) throws {
        try database.cachedStatement(sql: "DELETE FROM receiverName WHERE appGroup = ? AND name = ?").execute(
            arguments: [receiver.id.group.description, name])
    }
}
