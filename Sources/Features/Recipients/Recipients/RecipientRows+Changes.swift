import Foundation
import GRDB
import NotificationModel
import RequestJournal

/// The changes of recipients within a transaction.
extension RecipientRows {
    /// Applies changes, and returns their answers with the changed names and the new totals.
    func apply(
        _ changes: [RecipientChange], to transaction: inout JournalTransaction
    ) throws -> (answers: [RecipientAnswer], changed: Set<RecipientName>, totals: RecipientTotals) {
        var (totals, changed): (RecipientTotals, Set<RecipientName>) = (try totals(), [])
        // A whole number of seconds is the same after it is read from the disk.
        let now = Date(timeIntervalSince1970: transaction.now.rounded(.down))
        let answers = try changes.map { try apply($0, at: now, &totals, &changed, &transaction) }
        try database.cachedStatement(sql: "UPDATE receiverTotals SET changes = ?, receivers = ?").execute(
            arguments: [totals.changes, totals.recipients])
        transaction.changedNames.formUnion(changed)
        return (answers, changed, totals)
    }

    private func apply(
        _ change: RecipientChange, at now: Date, _ totals: inout RecipientTotals, _ changed: inout Set<RecipientName>,
        _ transaction: inout JournalTransaction
    ) throws -> RecipientAnswer {
        let found = try find(change.name)
        guard change.condition.isMet(by: found?.recipient.version) else {
            return .otherVersion(found?.recipient.version)
        }
        if found == nil, let erased = try suppression?.erasedName(of: change.name).flatMap(find) {
            guard case .remove = change.kind else {
                return .unusable(
                    RecipientError(
                        key: "id", problem: "names an erased receiver: remove it first, to lift the suppression"))
            }
            changed.insert(change.name)
            return try remove(erased.recipient, erased.number, &totals, &changed)
        }
        if case .remove = change.kind {
            guard let found else { return .unknown }
            return try remove(found.recipient, found.number, &totals, &changed)
        }
        let (old, id) = (found?.recipient, found?.recipient.id ?? change.name)
        let document: RecipientDocument
        do throws(RecipientError) { document = try Self.document(after: change, of: old, id, at: now) } catch {
            return .unusable(error)
        }
        let recipient = Recipient(
            id: id, document: document, version: totals.changes + 1, updatedAt: now, hash: Self.hash(of: id))
        if old == nil, totals.recipients >= Self.maxRecipients { return .full(most: Self.maxRecipients) }
        let names = recipient.allNames
        for name in names.subtracting(old?.allNames ?? []).sorted() where name != change.name.name {
            if let owner = try find(RecipientName(group: id.group, name: name)) {
                return .nameInUse(name, owner: owner.recipient.id.name)
            }
        }
        let number = try store(recipient, as: found?.number)
        try store(names, of: recipient, number, in: old)
        totals.changes += 1
        if old == nil { totals.recipients += 1 }
        changed.formUnion(
            names.union(old?.allNames ?? []).map { RecipientName(group: id.group, name: $0) })
        // The digest of an erased recipient is no name that a provider knows.
        if recipient.permitsService != old?.permitsService ?? true, !id.name.hasPrefix(Suppression.mark) {
            try transaction.record(.choice(recipient))
        }
        return .stored(recipient, isNew: old == nil)
    }

    /// Returns the document of a recipient after a change.
    private static func document(
        after change: RecipientChange, of old: Recipient?, _ id: RecipientName, at now: Date
    ) throws(RecipientError) -> RecipientDocument {
        var document = old?.document ?? RecipientDocument()
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
        // The recipient keeps the name under which the caller knows it.
        let known = [id.name] + document.names + document.dead.map(\.name)
        if !known.contains(change.name.name) { document.names.append(change.name.name) }
        let most = RecipientDocument.maxNames - 1
        guard document.names.count <= most else {
            throw RecipientError(key: "names", problem: "has more than \(most) names beside the id")
        }
        return document
    }

    private func remove(
        _ recipient: Recipient, _ number: Int, _ totals: inout RecipientTotals, _ changed: inout Set<RecipientName>
    ) throws -> RecipientAnswer {
        try database.cachedStatement(sql: "DELETE FROM receiver WHERE number = ?").execute(arguments: [number])
        for name in recipient.allNames { try remove(name, of: recipient) }
        totals.changes += 1
        totals.recipients -= 1
        changed.formUnion(recipient.allNames.map { RecipientName(group: recipient.id.group, name: $0) })
        return .removed
    }

    /// Writes the row of a recipient, and returns its number.
    private func store(_ recipient: Recipient, as number: Int?) throws -> Int {
        let settings = recipient.document.settings
        let columns: StatementArguments = [
            Int(settings.statedBits), Int(settings.trueBits), settings.locale, recipient.document.stored,
            recipient.version, recipient.updatedAt.timeIntervalSince1970,
        ]
        guard let number else {
            try database.cachedStatement(
                sql: """
                    INSERT INTO receiver (stated, allowed, locale, rest, version, updatedAt, appGroup, id)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """
            ).execute(arguments: columns + [recipient.id.group.description, recipient.id.name])
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
    private func store(_ names: Set<String>, of recipient: Recipient, _ number: Int, in old: Recipient?) throws {
        let oldNames = old?.allNames ?? []
        for name in oldNames.subtracting(names) { try remove(name, of: recipient) }
        let dead = Set(recipient.document.dead.map(\.name))
        let oldDead = Set(old?.document.dead.map(\.name) ?? [])
        for name in names where !oldNames.contains(name) || dead.contains(name) != oldDead.contains(name) {
            try database.cachedStatement(
                sql: "INSERT OR REPLACE INTO receiverName (appGroup, name, receiver, isDead) VALUES (?, ?, ?, ?)"
            ).execute(arguments: [recipient.id.group.description, name, number, dead.contains(name)])
        }
    }

    private func remove(_ name: String, of recipient: Recipient) throws {
        try database.cachedStatement(sql: "DELETE FROM receiverName WHERE appGroup = ? AND name = ?").execute(
            arguments: [recipient.id.group.description, name])
    }
}
