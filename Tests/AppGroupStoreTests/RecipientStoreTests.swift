import Base
import Foundation
import GRDB
import NotificationModel
import TestSupport
import Testing

@testable import AppGroupStore
@testable import Features
@testable import RequestJournal

/// Tests of the recipients in the journal.
@Suite(.timeLimit(.minutes(1))) struct RecipientStoreTests {
    private let bench: JournalBench

    init() throws { bench = try JournalBench() }

    static func name(_ name: String) -> RecipientName { RecipientName(group: .default, name: name) }

    static func patch(
        _ name: String, _ text: String = #"{"permissions":{"service":false}}"#,
        _ condition: VersionCondition = .none
    ) throws -> RecipientChange {
        RecipientChange(
            name: Self.name(name), kind: .patch(try #require(JSONParser.value(of: text).object)), condition: condition)
    }

    private func apply(_ change: RecipientChange, to journal: RequestJournal) async -> RecipientAnswer {
        await journal.apply([change]).first ?? .failed("no answer")
    }

    private static func recipient(_ answer: RecipientAnswer) -> Recipient? {
        if case .stored(let recipient, _) = answer { recipient } else { nil }
    }

    @Test func `a stored opt-out holds over a restart, under each name of the recipient`() async throws {
        try await bench.with { journal in
            let before = await journal.recipient(Self.name("anna"))
            #expect(before.stored == nil)
            let change = try Self.patch("anna", #"{"permissions":{"service":false},"names":["token-1"],"locale":"de"}"#)
            let answer = await apply(change, to: journal)
            let recipient = try #require(Self.recipient(answer))
            #expect(answer == .stored(recipient, isNew: true))
            #expect(journal.isStale(before.mark))
            let found = await journal.find(Self.name("token-1"))
            #expect(found == .stored(recipient, isNew: false))
        }
        try await bench.with { journal in
            for name in ["anna", "token-1"] {
                let lookup = await journal.recipient(Self.name(name))
                #expect(lookup.stored?.settings[.service] == false)
                #expect(lookup.stored?.settings.locale == "de")
                #expect(lookup.stored?.version == 1)
                #expect(!journal.isStale(lookup.mark))
            }
            let other = await journal.recipient(RecipientName(group: try #require(AppGroupName("other")), name: "anna"))
            #expect(other.stored == nil, "another group has other receivers")
        }
    }

    @Test func `a removed recipient has no names and no settings`() async throws {
        try await bench.with { journal in
            _ = await apply(try Self.patch("anna", #"{"names":["t"]}"#), to: journal)
            #expect(await apply(RecipientChange(name: Self.name("t"), kind: .remove), to: journal) == .removed)
            #expect(await journal.find(Self.name("anna")) == .unknown)
            #expect(await apply(RecipientChange(name: Self.name("anna"), kind: .remove), to: journal) == .unknown)
            let again = Self.recipient(await apply(try Self.patch("t"), to: journal))
            #expect(again?.version == 3, "no version is used twice")
        }
    }

    @Test func `a change is applied only to the version that it names`() async throws {
        try await bench.with { journal in
            #expect(await apply(try Self.patch("anna", "{}", .exists), to: journal) == .otherVersion(nil))
            _ = await apply(try Self.patch("anna", "{}", .isMissing), to: journal)
            #expect(await apply(try Self.patch("anna", "{}", .isMissing), to: journal) == .otherVersion(1))
            #expect(await apply(try Self.patch("anna", "{}", .hasVersion([7])), to: journal) == .otherVersion(1))
            let changed = Self.recipient(await apply(try Self.patch("anna", "{}", .hasVersion([1, 7])), to: journal))
            #expect(changed?.version == 2)
        }
    }

    @Test func `a name of another recipient is refused, and nothing changes`() async throws {
        try await bench.with { journal in
            _ = await apply(try Self.patch("anna", #"{"names":["t"]}"#), to: journal)
            let answer = await apply(try Self.patch("ben", #"{"names":["u","t"]}"#), to: journal)
            #expect(answer == .nameInUse("t", owner: "anna"))
            #expect(await journal.find(Self.name("ben")) == .unknown)
            #expect(await journal.find(Self.name("u")) == .unknown)
        }
    }

    @Test func `dead and replaced tokens are reported, and still find their recipient`() async throws {
        try await bench.with { journal in
            let tokens =
                #"{"permissions":{"service":false},"names":["old","gone"],"pushkeys":{"old":"new","gone":null}}"#
            _ = await apply(try Self.patch("anna", tokens), to: journal)
            #expect(await journal.deadNames(among: ["old", "gone", "new", "x"], in: .default) == ["old", "gone"])
            for name in ["old", "gone", "new"] {
                #expect(await journal.recipient(Self.name(name)).stored?.settings[.service] == false)
            }
            _ = await apply(try Self.patch("anna", #"{"names":["new","gone"]}"#), to: journal)
            #expect(await journal.deadNames(among: ["old", "gone"], in: .default) == ["old"])
        }
    }

    @Test func `a document that replaces another keeps the name of its path`() async throws {
        try await bench.with { journal in
            _ = await apply(try Self.patch("anna", #"{"names":["t","u"]}"#), to: journal)
            let change = RecipientChange(name: Self.name("t"), kind: .replace(RecipientDocument()))
            let recipient = Self.recipient(await apply(change, to: journal))
            #expect(recipient?.id.name == "anna")
            #expect(recipient?.document.names == ["t"])
            #expect(await journal.find(Self.name("u")) == .unknown)
        }
    }

    @Test func `a request is stale if its recipient has changed since its look-up, also in the same transaction`()
        async throws
    {
        try await bench.with { journal in
            _ = await apply(try Self.patch("ben"), to: journal)
            let (anna, ben) = (await journal.recipient(Self.name("anna")), await journal.recipient(Self.name("ben")))
            _ = await apply(try Self.patch("anna"), to: journal)
            var entry = try bench.entry("a", bodyByteCount: 100_000)
            entry.recipientMark = anna.mark
            #expect(await journal.accept(entry) == .stale)
            entry.recipientMark = ben.mark
            #expect(await journal.accept(entry) == .accepted)
            let files = try FileManager.default.contentsOfDirectory(atPath: bench.root + "/.appgroupd/values")
            try await wait(for: "the file of the stale body") {
                try FileManager.default.contentsOfDirectory(atPath: bench.root + "/.appgroupd/values").count == 1
            }
            #expect(files.count <= 2)
        }
        try await bench.with { journal in
            var entry = try bench.entry("b")
            entry.recipientMark = RecipientMark(name: Self.name("cleo"), revision: 100)
            let acceptance = Acceptance(entry: entry)
            let change = RecipientWrite(
                changes: [try Self.patch("cleo")], table: journal[RecipientTable.self])
            journal.enqueue { $0.changes += [acceptance, change] }
            #expect(await acceptance.answer.value() == .stale)
        }
    }

    @Test func `many changes in one transaction make no other look-up stale`() async throws {
        try await bench.with { journal in
            let ben = await journal.recipient(Self.name("ben")).mark
            let writes = try (0..<200).map { number in
                RecipientWrite(
                    changes: [try Self.patch("\(number)")], table: journal[RecipientTable.self])
            }
            journal.enqueue { $0.changes += writes }
            for write in writes { #expect(await write.answers.value().count == 1) }
            #expect(
                !journal.isStale(ben) && journal.isStale(RecipientMark(name: Self.name("7"), revision: ben.revision)))
        }
    }

    @Test func `a look-up that failed is stale at once`() async throws {
        try await bench.with { journal in
            #expect(journal.isStale(RecipientMark(name: Self.name("anna"), revision: 0)))
        }
    }

    @Test func `the table of changes forgets old changes, and older look-ups are stale then`() {
        let changes = RecipientChanges()
        let mark = RecipientMark(name: Self.name("anna"), revision: changes.current().revision)
        #expect(!changes.isStale(mark))
        var totals = RecipientTotals(changes: 0, recipients: 1)
        for number in 0..<2 * RecipientChanges.capacity {
            totals.changes += 1
            changes.note([Self.name("\(number)")], totals)
        }
        #expect(!changes.isStale(mark), "the table still has all changes since the look-up")
        totals.changes += 1
        changes.note([Self.name("x")], totals)
        #expect(changes.isStale(mark))
        let fresh = RecipientMark(name: Self.name("anna"), revision: changes.current().revision)
        #expect(!changes.isStale(fresh))
        changes.note([Self.name("anna")], totals)
        #expect(changes.isStale(fresh))
        let last = RecipientMark(name: Self.name("ben"), revision: changes.current().revision)
        changes.startAgain(totals)
        #expect(changes.isStale(last))
    }

    @Test func `a change that a full disk refuses has no effect, and space is asked for`() async throws {
        let asked = Guarded(0)
        @Sendable func freeSpace(_: RequestJournal, _: Int) async -> Bool {
            asked.withLock { $0 += 1 }
            return false
        }
        try await bench.with(pause: .milliseconds(1), freeSpace: freeSpace) { journal in
            _ = await apply(try Self.patch("anna"), to: journal)
            try await journal.fill()
            let labels = (0..<32).map { "\"\($0)\(String(repeating: "x", count: 120))\"" }.joined(separator: ",")
            var refused = 0
            for number in 0..<40 {
                let answer = await apply(try Self.patch("r\(number)", #"{"labels":[\#(labels)]}"#), to: journal)
                if case .failed = answer { refused += 1 }
            }
            #expect(refused > 0)
            #expect(asked.withLock { $0 } > 0)
            #expect(await journal.recipient(Self.name("anna")).stored?.settings[.service] == false)
            #expect(await journal.recipient(Self.name("r39")).stored == nil)
        }
    }

    @Test func `changes and look-ups work after the database was reopened`() async throws {
        try await bench.with(pause: .milliseconds(1)) { journal in
            _ = await apply(try Self.patch("anna"), to: journal)
            let mark = await journal.recipient(Self.name("anna")).mark
            await journal.reopenForTest()
            #expect(journal.isStale(mark))
            let changed = try Self.patch("anna", #"{"permissions":{"service":true}}"#)
            #expect(Self.recipient(await apply(changed, to: journal))?.version == 2)
            #expect(await journal.recipient(Self.name("anna")).stored?.settings[.service] == true)
        }
    }
}

extension RequestJournal {
    /// Simulates a disk without space for further pages of the journal.
    fileprivate func fill() throws {
        try database.database.write { database in
            let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            try database.execute(sql: "PRAGMA max_page_count = \(pages)")
        }
    }

    /// Simulates a failed sync.
    fileprivate func reopenForTest() { recover(from: DatabaseError(resultCode: .SQLITE_IOERR)) }
}
