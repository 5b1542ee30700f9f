import Base
import FoundationEssentials
import GRDB
import NotificationModel
import SQLiteFiles

/// An accepted request, with its result if it is already known.
struct Acceptance: JournalChange {
    var entry: JournalEntry
    /// The name of the file of a large body; `nil` if the row contains the body.
    var bodyFile: String?
    var result: JournalDatabase.Result?
    let answer = Waiter<JournalAnswer>()

    var phase: JournalPhase { .acceptances }
    var files: [String] { [bodyFile, result?.contentFile].compactMap(\.self) }
    /// The size of the value that the journal keeps, in bytes: the result, or the body without a result.
    var byteCount: Int { result?.content.json.count ?? entry.body.count }

    /// The time until the next try, if the id becomes free when its earlier request is finalized. Finalizing takes about
    /// as long as a sync of the disk.
    private static let pause: Duration = .milliseconds(20)

    init(entry: JournalEntry, result: JournalDatabase.Result? = nil) { (self.entry, self.result) = (entry, result) }

    func apply(to transaction: inout JournalTransaction) throws {
        guard let given = try answer(in: &transaction) else {
            // The acceptance stays in the journal's memory, and a later transaction tries it again.
            return transaction.afterCommit { $0.again(.init(changes: [self]), after: Self.pause) }
        }
        if given != .accepted { transaction.effects.freedFiles += files }
        transaction.afterCommit { journal in
            if given == .accepted, let bodyFile { journal.bodyFiles[entry.key] = bodyFile }
            answer.resume(returning: given)
        }
    }

    func refuse(because problem: String) -> Bool {
        answer.resume(returning: .failed(problem))
        return true
    }

    /// Inserts the request, and returns the answer; `nil` if its id is that of a published result that is not finalized.
    private func answer(in transaction: inout JournalTransaction) throws -> JournalAnswer? {
        if let mark = entry.recipientMark, transaction.isStale(mark) { return .stale }
        // The id of an unkeyed call is new, so no file has it.
        let isTaken = entry.channel != .call && transaction.isTaken(entry.key)
        if !isTaken, try insert(in: transaction.database, at: transaction.now) {
            transaction.effects.lastSequence = Int(transaction.database.lastInsertedRowID)
            if let content = result?.content {
                transaction.effects.resultBytes += content.json.count
                try transaction.record(.emitted(content))
            }
            return .accepted
        }
        let known = try transaction.database.cachedStatement(
            sql: """
                SELECT fingerprint, emittedAt IS NOT NULL AND fileName IS NOT NULL AS isPublished FROM request
                WHERE appGroup = ? AND id = ?
                """)
        guard let row = try Row.fetchOne(known, arguments: entry.key.columns) else { return .known(fingerprint: nil) }
        if row["isPublished"], !isTaken { return nil }
        return .known(fingerprint: Array(row["fingerprint"] as Data))
    }

    /// Inserts the row of the request, and returns `false` if another row has its id.
    private func insert(in database: Database, at now: Double) throws -> Bool {
        let (origin, fileName) = entry.channel.columns
        let isInRow = result == nil && bodyFile == nil
        try database.cachedStatement(
            sql: """
                INSERT INTO request
                    (appGroup, id, origin, fileName, fingerprint, body, bodyFile, templateFile, receivedAt, deadline,
                    attempts, emittedAt, outcome, reason, content, contentFile, contentBytes)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT DO NOTHING
                """
        ).execute(
            arguments: [
                entry.key.group.description, entry.key.id.description, origin, fileName, Data(entry.fingerprint),
                isInRow ? Data(entry.body) : nil, bodyFile, result == nil ? entry.template?.name : nil,
                entry.receivedAt.timeIntervalSince1970, entry.deadline.timeIntervalSince1970, entry.attempts,
            ] + (result?.columns(at: now) ?? JournalDatabase.Result.noColumns))
        return database.changesCount > 0
    }
}
