import Foundation
import GRDB
import NotificationModel
import RequestJournal
import SQLiteFiles

/// The changes of named messages within a transaction.
extension MessageRows {
    /// Applies a change, and returns its answer. The file of a change without effect belongs to no row.
    func apply(
        _ change: MessageChange, _ file: String?, to transaction: inout JournalTransaction
    ) throws -> MessageAnswer {
        let answer =
            switch change.kind {
            case .put(let message): try put(message, change, file, &transaction)
            case .prepare(let version, let profile, let state, let content):
                try prepare(version, profile, state, content, change, file)
            case .remove: try remove(change, &transaction)
            }
        if let file, !answer.isStored { transaction.effects.freedFiles.append(file) }
        return answer
    }

    private func put(
        _ message: NewMessage, _ change: MessageChange, _ file: String?, _ transaction: inout JournalTransaction
    ) throws -> MessageAnswer {
        let found = try find(change.key, at: change.date)
        guard change.condition.isMet(by: found?.version) else { return .otherVersion(found?.version) }
        // The old row may be one that has ended, and that is not removed yet.
        let old = try row(of: change.key)
        let byteCount = message.envelope.count * (1 + Self.reserve * message.profiles.count)
        let totals = try Row.fetchOne(
            database, sql: "SELECT count(*) AS count, total(bytes) AS bytes FROM namedMessage")
        let count = (totals?.value(of: "count") as Int?) ?? 0
        let bytes = (totals?.value(of: "bytes") as Double?) ?? 0
        guard count - (old == nil ? 0 : 1) < Self.maxMessages else {
            return .full("The store has the maximum of \(Self.maxMessages) messages.")
        }
        guard bytes - Double(old?.bytes ?? 0) + Double(byteCount) <= Double(message.quota) else {
            return .full("The space for named messages is in use.")
        }
        if let old { try delete(old.version, &transaction) }
        try database.cachedStatement(
            sql: """
                INSERT INTO namedMessage
                    (appGroup, name, envelope, envelopeFile, envelopeBytes, bytes, updatedAt, expiresAt)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: [
                change.key.group.description, change.key.name.description,
                file == nil ? Data(message.envelope) : nil, file, message.envelope.count, byteCount,
                change.date.timeIntervalSince1970, message.expiresAt.timeIntervalSince1970,
            ])
        let version = Int(database.lastInsertedRowID)
        for (position, profile) in message.profiles.enumerated() {
            try database.cachedStatement(
                sql: "INSERT INTO namedMessageContent (version, position, profile) VALUES (?, ?, ?)"
            ).execute(arguments: [version, position, profile.name])
        }
        guard let stored = try find(change.key, at: change.date) else { return .unknown }
        return .stored(stored, isNew: found == nil)
    }

    private func prepare(
        _ version: Int, _ profile: MediaProfile, _ state: NamedMessage.State, _ content: [UInt8],
        _ change: MessageChange, _ file: String?
    ) throws -> MessageAnswer {
        guard let found = try find(change.key, at: change.date), found.version == version,
            found.state(for: profile)?.isPreparing == true
        else { return .unknown }
        let columns: (outcome: String?, reason: String?, problem: String?)
        switch state {
        case .preparing: return .stored(found, isNew: false)
        case .prepared(let outcome, let reason): columns = (outcome.rawValue, reason?.rawValue, nil)
        case .refused(let problem): columns = (nil, nil, problem)
        }
        let isInRow = file == nil && !content.isEmpty
        try database.cachedStatement(
            sql: """
                UPDATE namedMessageContent SET outcome = ?, reason = ?, problem = ?, content = ?, contentFile = ?
                WHERE version = ? AND profile = ?
                """
        ).execute(
            arguments: [
                columns.outcome, columns.reason, columns.problem, isInRow ? Data(content) : nil, file, version,
                profile.name,
            ])
        try database.cachedStatement(sql: "UPDATE namedMessage SET bytes = bytes + ? WHERE version = ?").execute(
            arguments: [content.count - Self.reserve * found.byteCount, version])
        guard let stored = try find(change.key, at: change.date) else { return .unknown }
        return .stored(stored, isNew: false)
    }

    private func remove(_ change: MessageChange, _ transaction: inout JournalTransaction) throws -> MessageAnswer {
        let found = try find(change.key, at: change.date)
        guard change.condition.isMet(by: found?.version) else { return .otherVersion(found?.version) }
        guard let found else { return .unknown }
        try delete(found.version, &transaction)
        return .removed
    }

    private func row(of key: MessageKey) throws -> (version: Int, bytes: Int)? {
        let statement = try database.cachedStatement(
            sql: "SELECT version, bytes FROM namedMessage WHERE appGroup = ? AND name = ?")
        return try Row.fetchOne(statement, arguments: [key.group.description, key.name.description]).map {
            ($0.value(of: "version") ?? 0, $0.value(of: "bytes") ?? 0)
        }
    }

    /// Deletes a message, and returns whether it was there.
    @discardableResult func delete(_ version: Int, _ transaction: inout JournalTransaction) throws -> Bool {
        var isRemoved = false
        for (table, column) in [("namedMessage", "envelopeFile"), ("namedMessageContent", "contentFile")] {
            let statement = try database.cachedStatement(
                sql: "DELETE FROM \(table) WHERE version = ? RETURNING \(column)")
            let rows = try Row.fetchAll(statement, arguments: [version])
            isRemoved = isRemoved || !rows.isEmpty
            transaction.effects.freedFiles += rows.compactMap { $0.value(of: column) as String? }
        }
        return isRemoved
    }
}

extension MessageAnswer {
    fileprivate var isStored: Bool { if case .stored = self { true } else { false } }
}
