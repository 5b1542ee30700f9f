package import GRDB
package import LinuxIO
package import NotificationModel
import SQLiteFiles

/// The ways in which features read and change the rows of the journal.
extension RequestJournal {
    /// Calls a body with the database. Requests wait, so the body reads a few rows.
    package func read<Value>(_ body: (Database) throws -> Value) throws(MediaFailure) -> Value {
        try using { try $0.database.read(body) }
    }

    /// Calls a body in a transaction of its own. The files that removed rows named are removed before the method returns,
    /// because a killed daemon would find no row with their names.
    package func write<Value: Sendable>(
        _ body: (inout JournalTransaction) throws -> Value
    ) async throws(MediaFailure) -> Value {
        var (value, effects) = try using { try $0.transaction(body) }
        let freed = effects.freedFiles
        effects.freedFiles = []
        note(effects)
        if !freed.isEmpty { await valueLoop.perform { [files] in files.remove(freed) } }
        return value
    }

    /// Calls a body with the database, outside of transactions.
    package func withoutTransaction<Value>(_ body: (Database) throws -> Value) throws(MediaFailure) -> Value {
        try using { try $0.database.writeWithoutTransaction(body) }
    }

    private func using<Value>(_ body: (JournalDatabase) throws -> Value) throws(MediaFailure) -> Value {
        do { return try body(database) } catch {
            throw MediaFailure(.storageFailed, "the journal cannot be changed: \(file.problem(for: error))")
        }
    }

    /// Returns a sentence for an error, with the repair.
    package func problem(for error: any Error) -> JournalFile.Problem { file.problem(for: error) }

    /// Removes the results of requests from the outbox, and returns the number of removed files.
    package func eraseOutbox(_ keys: Set<RequestKey>) throws(MediaFailure) -> Int {
        var count = 0
        for key in keys {
            do throws(SystemError) { count += try outbox.erase(key) } catch {
                throw MediaFailure(.storageFailed, "the result \(key.id) cannot be removed: \(error)")
            }
        }
        return count
    }

    /// Removes the remains of the target of an erasure from the tables of all features, and templates without a use. The
    /// tables of recipients are emptied after those that refer to recipients, so their order is reversed.
    package func eraseRest(of step: ErasureStep) async throws(MediaFailure) -> ErasureCounts {
        try? forgetTemplates()
        await valueLoop.perform {}
        var counts = ErasureCounts()
        for table in tables.all.reversed() { counts += try await table.eraseRest(of: step, from: self) }
        return counts
    }

    /// Returns the bytes of a value.
    package nonisolated func bytes(of value: StoredValue) async throws(SystemError) -> [UInt8] {
        switch value {
        case .bytes(let bytes): bytes
        case .file(let name):
            try await valueLoop.perform { [files] () throws(SystemError) in try files.bytes(of: name) }
        }
    }

    /// Returns the next texts of a part of the journal: the requests, and then each table; `nil` after the last part.
    package nonisolated func texts(
        ofPart part: Int, in group: AppGroupName, after place: Int, atMost count: Int, _ database: Database
    ) throws -> [StoredText]? {
        guard part > 0 else {
            return try JournalDatabase.texts(in: group, after: place, atMost: count, database)
        }
        guard part <= tables.all.count else { return nil }
        return try tables.all[part - 1].texts(in: group, after: place, atMost: count, database)
    }
}

extension RequestJournal {
    /// Returns the number of the last migration of the journal of a root, and that of this program; `nil` without a
    /// journal.
    package static func versions(in root: String, tables: [any JournalTable.Type]) -> (stored: Int, own: Int)? {
        JournalDatabase.versions(in: "\(root)/\(directoryName)", tables)
    }
}

extension JournalTransaction {
    /// Removes the rows of all tables about the notifications of a step.
    package mutating func erase(_ step: ErasureStep) throws -> ErasureCounts {
        var counts = ErasureCounts()
        for table in tables { counts += try table.erase(step, in: &self) }
        return counts
    }
}

extension JournalDatabase {
    /// Returns the next requests of a group with their bodies and results.
    fileprivate static func texts(
        in group: AppGroupName, after place: Int, atMost count: Int, _ database: Database
    ) throws -> [StoredText] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT sequence, appGroup, id, body, bodyFile, content, contentFile, templateFile FROM request
                WHERE appGroup = ? AND sequence > ? ORDER BY sequence LIMIT ?
                """,
            arguments: [group.description, place, count]
        ).compactMap { row -> StoredText? in
            guard let place: Int = row.value(of: "sequence"), let key = RequestKey(row) else { return nil }
            let values = [("body", "bodyFile"), ("content", "contentFile"), ("body", "templateFile")].compactMap {
                StoredValue(row.value(of: $0), row.value(of: $1))
            }
            let isEmitted = StoredValue(row.value(of: "content"), row.value(of: "contentFile")) != nil
            var text = StoredText(place: place, key: key, values: values)
            text.isTemplated = !isEmitted && row.value(of: "templateFile") as String? != nil
            return text
        }
    }
}
