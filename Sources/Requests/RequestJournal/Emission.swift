import Base
import FoundationEssentials
import GRDB
import LinuxIO
import NotificationModel

/// The result of a request. Its files are staged before the transaction, and published after it.
struct Emission: JournalChange {
    let content: EmittedContent
    let channel: RequestChannel
    /// The name of the file of a large result; `nil` until the file is written.
    var contentFile: String?
    let published = Waiter<Bool>()

    init(content: EmittedContent, channel: RequestChannel) { (self.content, self.channel) = (content, channel) }

    var phase: JournalPhase { .results }
    var isFromSpool: Bool { if case .spool = channel { true } else { false } }
    /// The approximate size of the write, in bytes. A result from the spool counts twice, for its file and its row.
    var byteCount: Int { 2 * content.json.count }

    /// Writes the files that must exist before the transaction. The call blocks.
    mutating func prepare(_ outbox: Outbox, _ files: ValueFiles) throws(SystemError) {
        if isFromSpool, contentFile == nil || !outbox.hasStaged(content.key) { try outbox.stage(content) }
        if content.isLarge, contentFile == nil { contentFile = try files.store(content.json) }
    }

    /// Writes the row. A result that is written again after a disk error is no new event.
    func apply(to transaction: inout JournalTransaction) throws {
        transaction.effects.resultBytes += content.json.count
        let isFirst = try update(transaction.database, "AND emittedAt IS NULL", at: transaction.now)
        if isFirst {
            try transaction.record(.emitted(content))
        } else {
            _ = try update(transaction.database, "", at: transaction.now)
        }
    }

    private func update(_ database: Database, _ condition: String, at now: Double) throws -> Bool {
        let result = JournalDatabase.Result(content: content, contentFile: contentFile)
        try database.cachedStatement(
            sql: """
                UPDATE request SET emittedAt = ?, outcome = ?, reason = ?, content = ?, contentFile = ?,
                    contentBytes = ?, body = NULL, bodyFile = NULL, templateFile = NULL
                WHERE appGroup = ? AND id = ? \(condition)
                """
        ).execute(arguments: result.columns(at: now) + content.key.columns)
        return database.changesCount > 0
    }

    func refuse(because problem: String) -> Bool { false }
}
