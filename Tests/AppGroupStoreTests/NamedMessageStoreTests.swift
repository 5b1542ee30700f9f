import Foundation
import GRDB
import LinuxIO
import NotificationModel
import TestSupport
import Testing

@testable import AppGroupStore
@testable import Features
@testable import RequestJournal

/// Tests of the named messages in the journal.
@Suite(.timeLimit(.minutes(1))) struct NamedMessageStoreTests {
    /// The present time in whole seconds. The journal removes messages that have ended by the clock of the machine.
    private static let start = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded())
    private static let envelope = Array(#"{"payload":{"aps":{"alert":"a"}}}"#.utf8)

    private let bench: JournalBench

    init() throws { bench = try JournalBench() }

    private static func key(_ name: String) throws -> MessageKey {
        MessageKey(group: .default, name: try #require(MessageName(name)))
    }

    private static func put(
        _ name: String, _ condition: VersionCondition = .none, profiles: [MediaProfile] = [.ios],
        envelope: [UInt8] = Self.envelope, life: TimeInterval = 3_600, quota: Int = 1 << 30, at date: Date = Self.start
    ) throws -> MessageChange {
        let message = NewMessage(
            envelope: envelope, profiles: profiles, expiresAt: date.addingTimeInterval(life), quota: quota)
        return MessageChange(.put(message), of: try key(name), if: condition, at: date)
    }

    private static func prepare(
        _ message: NamedMessage, _ profile: MediaProfile = .ios, content: [UInt8] = Array("{}".utf8)
    ) -> MessageChange {
        MessageChange(
            .prepare(version: message.version, profile, .prepared(.rich, nil), content: content), of: message.key,
            at: start)
    }

    private static func message(_ answer: MessageAnswer) -> NamedMessage? {
        if case .stored(let message, _) = answer { message } else { nil }
    }

    private var files: [String] { (try? FileSystem.names(in: bench.root + "/.appgroupd/values")) ?? [] }

    @Test(arguments: [10, 100_000])
    func `a message and its content are read back after a restart`(byteCount: Int) async throws {
        let filler = Array(repeating: UInt8(ascii: " "), count: byteCount)
        let (envelope, content) = (Self.envelope + filler, Array("{}".utf8) + filler)
        let key = try Self.key("welcome")
        try await bench.with { journal in
            let answer = await journal.apply(try Self.put("welcome", profiles: [.ios, .web], envelope: envelope))
            let message = try #require(Self.message(answer))
            #expect(answer == .stored(message, isNew: true))
            #expect(message.preparations.map(\.profile) == [.ios, .web] && message.isPreparing)
            let prepared = Self.message(await journal.apply(Self.prepare(message, content: content)))
            #expect(prepared?.state(for: .ios) == .prepared(.rich, nil))
            #expect(prepared?.state(for: .web) == .preparing)
            #expect(await journal.unprepared(at: Self.start)?.map(\.key) == [key])
        }
        try await bench.with { journal in
            _ = try await journal.recover()
            let message = try #require(Self.message(await journal.find(key, at: Self.start)))
            #expect(await journal.envelope(of: message) == envelope)
            let found = await journal.content(of: message, for: .ios)
            #expect(found?.json == content && found?.outcome == .rich)
            #expect(found?.key.id.description == "message-\(message.version)-ios")
            #expect(await journal.content(of: message, for: .web) == nil)
            #expect(files.count == (byteCount > ValueFiles.threshold ? 2 : 0), "a file for each large value")
            #expect(await journal.apply(MessageChange(.remove, of: key, at: Self.start)) == .removed)
            #expect(await journal.apply(MessageChange(.remove, of: key, at: Self.start)) == .unknown)
            try await wait(for: "the removal of the files") { files.isEmpty }
        }
    }

    @Test func `a message is changed only if it has the version of the condition`() async throws {
        try await bench.with { journal in
            #expect(await journal.apply(try Self.put("a", .exists)) == .otherVersion(nil))
            let first = try #require(Self.message(await journal.apply(try Self.put("a", .isMissing))))
            #expect(await journal.apply(try Self.put("a", .isMissing)) == .otherVersion(first.version))
            let replaced = await journal.apply(try Self.put("a", .hasVersion([first.version])))
            let second = try #require(Self.message(replaced))
            #expect(second.version > first.version)
            let remove = MessageChange(.remove, of: second.key, if: .hasVersion([first.version]), at: Self.start)
            #expect(await journal.apply(remove) == .otherVersion(second.version))
        }
    }

    @Test func `the end of a preparation has no effect on another version`() async throws {
        try await bench.with { journal in
            let first = try #require(Self.message(await journal.apply(try Self.put("a"))))
            let second = try #require(Self.message(await journal.apply(try Self.put("a"))))
            let large = Array(repeating: UInt8(ascii: " "), count: 100_000)
            #expect(await journal.apply(Self.prepare(first, content: large)) == .unknown)
            try await wait(for: "the removal of the file without a row") { files.isEmpty }
            #expect(Self.message(await journal.apply(Self.prepare(second)))?.isPreparing == false)
            #expect(await journal.apply(Self.prepare(second)) == .unknown, "a preparation ends once")
            #expect(await journal.unprepared(at: Self.start) == [])
        }
    }

    @Test func `a message that has ended is unknown, and its row and its files are removed`() async throws {
        let large = Array(repeating: UInt8(ascii: " "), count: 100_000)
        let key = try Self.key("old")
        try await bench.with { journal in
            _ = await journal.apply(try Self.put("old", envelope: large, life: 60))
            #expect(await journal.find(key, at: Self.start.addingTimeInterval(60)) == .unknown)
            #expect(await journal.unprepared(at: Self.start.addingTimeInterval(60)) == [])
            let later = try Self.put("old", .isMissing, life: 60, at: Self.start.addingTimeInterval(61))
            #expect(Self.message(await journal.apply(later)) != nil, "a new message takes the place of the ended one")
            try await wait(for: "the removal of the file of the ended message") { files.isEmpty }
            _ = await journal.apply(try Self.put("other", life: 3_600))
        }
        let database = try bench.database()
        let (goesOn, _) = try database.transaction(at: Self.start.addingTimeInterval(121)) { transaction in
            try MessageTable(JournalContext(directory: bench.root)).removeOld(atMost: 10, in: &transaction)
        }
        #expect(!goesOn)
        let names = try await database.database.read { try String.fetchAll($0, sql: "SELECT name FROM namedMessage") }
        #expect(names == ["other"])
        database.close()
    }

    @Test func `a message that exceeds the quota is refused, and its file is removed`() async throws {
        let large = Array(repeating: UInt8(ascii: " "), count: 100_000)
        try await bench.with { journal in
            let first = Self.message(await journal.apply(try Self.put("a", envelope: large, quota: 400_000)))
            guard case .full = await journal.apply(try Self.put("b", envelope: large, quota: 400_000)) else {
                Issue.record("not refused")
                return
            }
            try await wait(for: "the removal of the refused file") { files.count == 1 }
            let again = Self.message(await journal.apply(try Self.put("a", envelope: large, quota: 400_000)))
            #expect(again != nil, "the replaced message does not count")
            // The reserve of the result is released when the result is known.
            #expect(Self.message(await journal.apply(Self.prepare(try #require(again)))) != nil)
            #expect(Self.message(await journal.apply(try Self.put("b", envelope: large, quota: 400_003))) != nil)
            #expect(first?.version != again?.version)
        }
    }

    @Test func `messages of two groups with one name are independent`() async throws {
        try await bench.with { journal in
            _ = await journal.apply(try Self.put("a"))
            let other = MessageKey(
                group: try #require(AppGroupName("other")), name: try #require(MessageName("a")))
            #expect(await journal.find(other, at: Self.start) == .unknown)
        }
    }

    @Test func `a journal without the tables of messages gets them, and keeps its requests`() async throws {
        let entry = try bench.entry("a")
        try await bench.with { journal in #expect(await journal.accept(entry) == .accepted) }
        let older = try DatabaseQueue(path: bench.root + "/.appgroupd/journal.sqlite")
        try await older.write { database in
            try database.execute(
                sql: """
                    DROP TABLE namedMessage; DROP TABLE namedMessageContent;
                    DELETE FROM grdb_migrations WHERE identifier = '7';
                    """)
        }
        try older.close()
        try await bench.with { journal in
            let recovered = try await journal.recover()
            #expect(recovered.map(\.key) == [entry.key])
            #expect(Self.message(await journal.apply(try Self.put("a"))) != nil)
        }
    }

    @Test func `changes of messages do not hide requests that were never acknowledged`() async throws {
        try await bench.with { journal in
            for _ in 0..<5 { _ = await journal.apply(try Self.put("a")) }
        }
        let database = try bench.database()
        defer { database.close() }
        #expect(try database.lastSequence() == 0)
        let entry = try bench.entry("a")
        _ = try database.commit([Acceptance(entry: entry)]) { _ in false }
        #expect(try database.lastSequence() == 1)
        #expect(try database.discard(after: 0).deletedRows == 1)
    }
}
