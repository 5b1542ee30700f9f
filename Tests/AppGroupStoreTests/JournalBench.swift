import Base
import FoundationEssentials
import LinuxIO
import NotificationModel
import TestSupport

@testable import AppGroupStore
@testable import Features
@testable import RequestJournal

/// A root directory with one journal at a time.
final class JournalBench: Sendable {
    private let directory: TemporaryDirectory
    private let reported = RateLimitedWarnings()
    /// The root directories that a journal reported as moved away or removed.
    let losses = Record<String>()

    static let tables: [any JournalTable.Type] = [
        MessageTable.self, RecipientTable.self, ListTable.self, ReceiptTable.self, CallbackTable.self,
        ErasureTable.self,
    ]

    var root: String { directory.path }
    var groupDirectory: String { "\(root)/\(AppGroupName.default)" }
    var warnings: [String] { reported.all }

    private let unkeyedRetention: Duration
    private let quota: Int

    init(unkeyedRetention: Duration = .seconds(600), quota: Int = 1 << 30) throws {
        self.unkeyedRetention = unkeyedRetention
        self.quota = quota
        directory = try TemporaryDirectory()
        try FileSystem.makeDirectory("\(directory.path)/\(AppGroupName.default)")
    }

    /// Opens a journal for the time of a body.
    func with(
        resultRetention: Duration = .seconds(3_600), pause: Duration = .seconds(1),
        freeSpace: (@Sendable (RequestJournal, Int) async -> Bool)? = nil,
        _ body: (RequestJournal) async throws -> Void
    ) async throws {
        let asked = Guarded<RequestJournal?>(nil)
        let journal = try await RequestJournal(
            root: root, tables: Self.tables, limits: limits(resultRetention), pause: pause,
            freeSpace: { byteCount in
                guard let freeSpace, let journal = asked.withLock({ $0 }) else { return false }
                return await freeSpace(journal, byteCount)
            },
            lost: { [losses, root] in losses.append(root) }, warn: { [reported] in reported.add($0) })
        asked.withLock { $0 = journal }
        defer { asked.withLock { $0 = nil } }
        do {
            try await body(journal)
            await journal.shutdown()
        } catch {
            await journal.shutdown()
            throw error
        }
    }

    private func limits(_ retention: Duration) -> ResultLimits {
        var limits = ResultLimits(retention: retention)
        limits.unkeyedRetention = unkeyedRetention
        limits.quota = quota
        return limits
    }

    func database() throws -> JournalDatabase {
        let directory = root + "/.appgroupd"
        let database = try JournalDatabase(
            directory: directory, JournalTables(Self.tables, JournalContext(directory: directory)).all)
        try database.files.prepare()
        return database
    }

    func entry(_ id: String, _ channel: RequestChannel = .detached, bodyByteCount: Int = 0) throws -> JournalEntry {
        struct NoID: Error {}
        guard let id = RequestID(id) else { throw NoID() }
        return JournalEntry(
            key: RequestKey(group: .default, id: id), channel: channel, fingerprint: [7],
            body: Array(#"{"aps":{"alert":"x"}}"#.utf8) + Array(repeating: 0x20, count: bodyByteCount),
            receivedAt: Date(timeIntervalSince1970: 1_800_000_000),
            deadline: Date(timeIntervalSince1970: 1_800_000_030.25))
    }

    func content(of entry: JournalEntry, byteCount: Int = 0) -> EmittedContent {
        EmittedContent(
            key: entry.key, outcome: .fallback, reason: .httpStatus,
            json: Array(#"{"id":"\#(entry.key.id)","outcome":"fallback","reason":"http-status"}"#.utf8)
                + Array(repeating: 0x20, count: byteCount))
    }

    /// Puts the entry's file into the directory in which the spool puts claimed files.
    func claim(_ entry: JournalEntry) throws {
        guard case .spool(let fileName) = entry.channel else { return }
        try FileSystem.makeDirectory(groupDirectory + "/claimed")
        try FileSystem.write(entry.body, toFile: "\(groupDirectory)/claimed/\(fileName)")
    }

    func groupFiles() throws -> [String] {
        try directory.files().compactMap { path in
            path.hasPrefix("\(AppGroupName.default)/")
                ? String(path.dropFirst("\(AppGroupName.default)/".count)) : nil
        }
    }
}

private final class RateLimitedWarnings: Sendable {
    private let sentences = Guarded<[String]>([])

    var all: [String] { sentences.withLock { $0 } }
    func add(_ sentence: String) { sentences.withLock { $0.append(sentence) } }
}
