import Foundation
import GRDB
import NotificationModel
import TestSupport
import Testing

@testable import Features
@testable import RequestJournal

/// Tests that a journal of each earlier version keeps its rows and gets the new tables.
@Suite(.timeLimit(.minutes(1))) struct JournalMigrationTests {
    @Test(arguments: 1...9)
    func `a journal of an earlier version keeps its requests and results`(version: Int) async throws {
        let bench = try JournalBench()
        try FileManager.default.createDirectory(atPath: bench.root + "/.appgroupd", withIntermediateDirectories: true)
        let older = try DatabaseQueue(path: bench.root + "/.appgroupd/journal.sqlite")
        try JournalDatabase.migrator(of: JournalBench.tables).migrate(older, upTo: "\(version)")
        try await older.write { database in
            try database.execute(
                sql: """
                    INSERT INTO request (appGroup, id, origin, fingerprint, body, receivedAt, deadline)
                        VALUES ('group.default', 'waiting', 'detached', x'07', '{}', 1, 2);
                    INSERT INTO request (appGroup, id, origin, fingerprint, receivedAt, deadline, emittedAt, outcome,
                        content) VALUES ('group.default', 'old', 'detached', x'07', 1, 2, 4e9, 'rich', '{}');
                    """)
        }
        try older.close()
        try await bench.with { journal in
            let recovered = try await journal.recover()
            #expect(recovered.map(\.key.id.description) == ["waiting"])
            let old = await journal.content(of: try bench.entry("old").key)
            #expect(old?.outcome == .rich)
            let entry = try bench.entry("new")
            var content = bench.content(of: entry)
            content.facts = EmittedFacts(names: ListedNames())
            #expect(await journal.accept(entry, with: content) == .accepted)
            let page = try #require(await journal.list(ListQuery(group: .default)))
            #expect(page.elements.map(\.key) == [entry.key])
            let receipt = Receipt(group: .default, target: .id(entry.key.id), event: .read, at: .now)
            #expect(await journal.store(receipt) == [entry.key])
            let recipient = RecipientName(group: .default, name: "anna")
            #expect(await journal.apply([.init(name: recipient, kind: .replace(.init()))]).count == 1)
            let found = await journal.find(recipient)
            #expect(found != .unknown)
        }
    }
    @Test func `the record of a callback target is kept, and a later change replaces it`() async throws {
        let bench = try JournalBench()
        try FileManager.default.createDirectory(atPath: bench.root + "/.appgroupd", withIntermediateDirectories: true)
        let older = try DatabaseQueue(path: bench.root + "/.appgroupd/journal.sqlite")
        try JournalDatabase.migrator(of: JournalBench.tables).migrate(older, upTo: "9")
        try await older.write { database in
            try database.execute(sql: "INSERT INTO callbackTarget VALUES ('a', 1, 3, 2, 'gone')")
        }
        try older.close()
        try await bench.with { journal in
            var record = CallbackTargetRecord(name: "a")
            (record.failingSince, record.failures) = (Date(timeIntervalSince1970: 1), 3)
            (record.disabledAt, record.reason) = (Date(timeIntervalSince1970: 2), "gone")
            #expect(await journal.callbackTargets() == [record])
            record = CallbackTargetRecord(name: "a")
            record.version = 1
            #expect(await journal.store(nil, record))
            #expect(await journal.callbackTargets() == [record])
        }
    }
}
