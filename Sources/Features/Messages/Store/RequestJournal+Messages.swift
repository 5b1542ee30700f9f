import Base
package import FoundationEssentials
import GRDB
import LinuxIO
package import NotificationModel
package import RequestJournal

/// The tables of named messages.
package struct MessageTable: JournalTable {
    let reader: JournalReader
    private let searchReader: JournalReader

    package init(_ context: JournalContext) {
        reader = context.reader(for: .lookups)
        searchReader = context.reader(for: .searches)
    }

    package static var erasedTables: [String] { ["namedMessage", "namedMessageContent"] }
    package static var migrations: JournalMigrations { [7: MessageRows.createTables] }
    package static var fileColumns: [(table: String, column: String)] {
        [("namedMessage", "envelopeFile"), ("namedMessageContent", "contentFile")]
    }

    package func removeOld(atMost count: Int, in transaction: inout JournalTransaction) throws -> Bool {
        let versions = try Int.fetchAll(
            transaction.database,
            sql: "SELECT version FROM namedMessage WHERE expiresAt <= ? ORDER BY expiresAt LIMIT ?",
            arguments: [transaction.now, count])
        for version in versions { try MessageRows(transaction.database).delete(version, &transaction) }
        return versions.count >= count
    }

    /// Removes the messages whose envelopes concern the target, and counts those that only mention it.
    ///
    /// The envelopes may have 256 MiB in all, so they are read and parsed outside of the transaction in which requests
    /// wait.
    @concurrent package func eraseRest(
        of step: ErasureStep, from journal: RequestJournal
    ) async throws(MediaFailure) -> ErasureCounts {
        let (group, matcher) = (step.target.group, ErasureMatcher(step))
        var counts = ErasureCounts()
        var concerned: [Int] = []
        do {
            for version in try await searchReader.snapshot({ try MessageRows($0).versions(in: group) }) {
                guard step.target.kind != .group else {
                    concerned.append(version)
                    continue
                }
                let envelope = try await envelope(ofVersion: version, from: journal)
                let object = try? JSONParser.value(of: envelope).object
                switch matcher.match(envelope, as: object, in: group) {
                case .none: break
                case .mentions: counts.mentions += 1
                case .concerns: concerned.append(version)
                }
            }
        } catch {
            throw MediaFailure(.storageFailed, "the named messages cannot be read: \(JournalFile.words(for: error))")
        }
        guard !concerned.isEmpty else { return counts }
        counts.namedMessages = try await journal.write { transaction in
            // Another call may have removed a message since.
            let rows = MessageRows(transaction.database)
            return try concerned.reduce(0) { try rows.delete($1, &transaction) ? $0 + 1 : $0 }
        }
        return counts
    }

    /// Returns the envelope of a version; empty if the version was replaced or removed in the meantime.
    private func envelope(ofVersion version: Int, from journal: RequestJournal) async throws -> [UInt8] {
        func stored() async throws -> StoredValue? {
            try await searchReader.snapshot { try MessageRows($0).envelope(ofVersion: version) }
        }
        guard let value = try await stored() else { return [] }
        do { return try await journal.bytes(of: value) } catch {
            guard try await stored() == nil else { throw error }
            return []
        }
    }
}

/// A change of a named message, with the file of its large value.
private struct MessageWrite: JournalChange {
    let change: MessageChange
    /// The name of the file of a large value; `nil` if the row contains the value.
    var file: String?
    let answer = Waiter<MessageAnswer>()

    var phase: JournalPhase { .early }
    var byteCount: Int { value.count }
    var files: [String] { file.map { [$0] } ?? [] }

    /// The value that the change stores: the envelope of a new message, or the content for a profile.
    var value: [UInt8] {
        switch change.kind {
        case .put(let message): message.envelope
        case .prepare(_, _, _, let content): content
        case .remove: []
        }
    }

    func apply(to transaction: inout JournalTransaction) throws {
        let given = try MessageRows(transaction.database).apply(change, file, to: &transaction)
        transaction.afterCommit { _ in answer.resume(returning: given) }
    }

    func refuse(because problem: String) -> Bool {
        answer.resume(returning: .failed(problem))
        return true
    }
}

/// The store of named messages, in the journal's database. Changes share the transactions of requests, and look-ups use
/// the connection of recipients, which does not wait for the syncs of transactions.
extension RequestJournal: MessageStoring {
    package nonisolated func find(_ key: MessageKey, at date: Date) async -> MessageAnswer {
        await lookupLoop.perform { [reader = self[MessageTable.self].reader] in
            do {
                let found = try reader.read(inTransaction: true) { database in
                    try MessageRows(database).find(key, at: date)
                }
                return found.map { .stored($0, isNew: false) } ?? .unknown
            } catch {
                return .failed(JournalFile.words(for: error))
            }
        }
    }

    package nonisolated func unprepared(at date: Date) async -> [NamedMessage]? {
        await lookupLoop.perform { [reader = self[MessageTable.self].reader] in
            try? reader.read(inTransaction: true) { try MessageRows($0).unprepared(at: date) }
        }
    }

    package nonisolated func messages(in group: AppGroupName, at date: Date) async -> [NamedMessage]? {
        await lookupLoop.perform { [reader = self[MessageTable.self].reader] in
            try? reader.read(inTransaction: true) {
                try MessageRows($0).messages(in: group, at: date)
            }
        }
    }

    package nonisolated func envelope(of message: NamedMessage) async -> [UInt8]? {
        await bytes { try $0.envelope(ofVersion: message.version) }
    }

    package nonisolated func content(of message: NamedMessage, for profile: MediaProfile) async -> EmittedContent? {
        guard let key = message.requestKey(for: profile),
            case .prepared(let outcome, let reason)? = message.state(for: profile),
            let json = await bytes({ try $0.content(ofVersion: message.version, for: profile) })
        else { return nil }
        return EmittedContent(key: key, outcome: outcome, reason: reason, json: json)
    }

    /// Returns a value from its row or from its file; `nil` if it does not exist, or cannot be read.
    private nonisolated func bytes(
        _ value: @escaping @Sendable (MessageRows) throws -> StoredValue?
    ) async -> [UInt8]? {
        let found = await lookupLoop.perform { [reader = self[MessageTable.self].reader] in
            try? reader.read { try value(MessageRows($0)) }
        }
        guard let found else { return nil }
        // The message may be replaced or removed while its file is read.
        return try? await self.bytes(of: found)
    }

    package nonisolated func apply(_ change: MessageChange) async -> MessageAnswer {
        var write = MessageWrite(change: change)
        if write.value.count > ValueFiles.threshold {
            do throws(SystemError) { write.file = try await store(write.value) } catch { return .failed("\(error)") }
        }
        add(write)
        return await write.answer.value()
    }
}
