import Base
import Foundation
import GRDB
import LinuxIO
import NotificationModel
import TestSupport
import Testing

@testable import AppGroupStore
@testable import RequestJournal

@Suite struct RequestJournalTests {
    @Test func `a restarted journal recovers the accepted requests without a result in order of age`() async throws {
        let bench = try JournalBench()
        let entries = try ["b", "a", "c"].map { try bench.entry($0) }
        try await bench.with { journal in
            for entry in entries { #expect(await journal.accept(entry) == .accepted) }
        }
        try await bench.with { journal in
            var expected = entries
            for index in expected.indices { expected[index].attempts = 1 }
            let recovered = try await journal.recover()
            #expect(recovered == expected)
            let again = try await journal.recover()
            #expect(again.map(\.attempts) == [2, 2, 2], "each recovery counts as an attempt")
        }
    }

    @Test func `the journal stores a result, and still finds the id and the fingerprint of the request`() async throws {
        let bench = try JournalBench()
        let entry = try bench.entry("a")
        let content = bench.content(of: entry)
        try await bench.with { journal in
            _ = await journal.accept(entry)
            #expect(await journal.content(of: entry.key) == nil)
            _ = await journal.publish(content, from: entry.channel).value()
            #expect(await journal.accept(entry) == .known(fingerprint: entry.fingerprint))
        }
        try await bench.with { journal in
            let recovered = try await journal.recover()
            #expect(recovered.isEmpty)
            #expect(await journal.content(of: entry.key) == content)
            #expect(await journal.accept(entry) == .known(fingerprint: entry.fingerprint))
        }
    }

    @Test func `the journal deletes results after their retention`() async throws {
        let bench = try JournalBench()
        let entry = try bench.entry("a")
        try await bench.with { journal in
            _ = await journal.accept(entry)
            _ = await journal.publish(bench.content(of: entry), from: entry.channel).value()
        }
        try await bench.with(resultRetention: .zero) { journal in
            _ = try await journal.recover()
            #expect(await journal.content(of: entry.key) == nil)
            #expect(await journal.accept(entry) == .accepted)
        }
    }

    @Test func `the journal moves the result of a spool file to the outbox, and leaves no other file`() async throws {
        let bench = try JournalBench()
        let entry = try bench.entry("a", .spool(fileName: "a.json"))
        let content = bench.content(of: entry)
        try bench.claim(entry)
        try await bench.with { journal in
            _ = await journal.accept(entry)
            _ = await journal.publish(content, from: entry.channel).value()
            #expect(await journal.content(of: entry.key) == content, "the outbox has the result")
        }
        #expect(try bench.groupFiles() == ["outbox/a.json"])
        let text = try String(contentsOfFile: bench.groupDirectory + "/outbox/a.json", encoding: .utf8)
        #expect(text == String(decoding: content.json, as: UTF8.self) + "\n")
        try await bench.with { journal in
            let recovered = try await journal.recover()
            #expect(recovered.isEmpty)
            #expect(await journal.accept(entry) == .known(fingerprint: nil), "the name is in use")
            try FileSystem.remove(bench.groupDirectory + "/outbox/a.json")
            #expect(await journal.accept(entry) == .accepted, "the name is free")
        }
    }

    @Test func `the name of a result can be used again as soon as a reader has removed the result`() async throws {
        let bench = try JournalBench()
        let entry = try bench.entry("a", .spool(fileName: "a.json"))
        try await bench.with { journal in
            for _ in 0..<20 {
                #expect(await journal.accept(entry) == .accepted)
                _ = await journal.publish(bench.content(of: entry), from: entry.channel).value()
                try FileSystem.remove(bench.groupDirectory + "/outbox/a.json")
            }
        }
    }

    @Test func `concurrent requests share transactions, and each request gets its own answer`() async throws {
        let bench = try JournalBench()
        let entries = try (0..<500).map { try bench.entry("\($0 % 250)") }
        try await bench.with { journal in
            let answers = await withTaskGroup { group in
                for entry in entries { group.addTask { await journal.accept(entry) } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.count { $0 == .accepted } == 250)
            #expect(answers.count { $0 == .known(fingerprint: [7]) } == 250)
        }
    }

    @Test func `the journal retries a result that the disk refuses, and does not delay other results`() async throws {
        let bench = try JournalBench()
        let stuck = try bench.entry("stuck", .spool(fileName: "stuck.json"))
        let other = try bench.entry("other")
        // A file has the name of the directory.
        try FileSystem.write([], toFile: bench.groupDirectory + "/.staged")
        try await bench.with(pause: .milliseconds(1)) { journal in
            _ = await journal.accept(stuck)
            _ = await journal.accept(other)
            let published = journal.publish(bench.content(of: stuck), from: stuck.channel)
            _ = await journal.publish(bench.content(of: other), from: other.channel).value()
            #expect(bench.warnings.contains { $0.contains("stuck") && $0.contains("outbox") })
            try FileSystem.remove(bench.groupDirectory + "/.staged")
            _ = await published.value()
        }
        #expect(try bench.groupFiles() == ["outbox/stuck.json"])
    }

    @Test func `the journal increments the attempt count of only those requests that may have been processed`()
        async throws
    {
        let bench = try JournalBench()
        try await bench.with { journal in
            for id in ["a", "b", "c"] { _ = await journal.accept(try bench.entry(id)) }
        }
        let tried = try bench.database().unemitted(tried: 2).entries
        #expect(tried.map(\.attempts) == [1, 1, 0])
    }

    @Test(arguments: [
        "deadline = 'soon'", "receivedAt = 1e300", "id = '../x'", "appGroup = 7", "fingerprint = NULL", "body = 3.5",
    ])
    func `a damaged row is skipped, and the other rows are recovered`(_ change: String) async throws {
        let bench = try JournalBench()
        try await bench.with { journal in
            for id in ["a", "b"] { _ = await journal.accept(try bench.entry(id)) }
        }
        let spoilt = try DatabaseQueue(path: bench.root + "/.appgroupd/journal.sqlite")
        try await spoilt.write { database in
            try database.execute(sql: "PRAGMA ignore_check_constraints = 1")
            // The column does not accept NULL, so the test writes a text, which is also invalid.
            let change = change.replacing("NULL", with: "'none'")
            try database.execute(sql: "UPDATE request SET \(change) WHERE id = 'a'")
        }
        try spoilt.close()
        try await bench.with { journal in
            let recovered = try await journal.recover()
            #expect(recovered.map(\.key.id.description).filter { $0 != "a" } == ["b"])
        }
    }

    @Test func `a journal of a newer version is not changed`() async throws {
        let bench = try JournalBench()
        try await bench.with { _ in }
        let newer = try DatabaseQueue(path: bench.root + "/.appgroupd/journal.sqlite")
        try await newer.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('99')") }
        try newer.close()
        let error = await #expect(throws: MediaFailure.self) { try await bench.with { _ in } }
        #expect(error?.detail.contains("newer") == true)
    }

    @Test func `a journal that cannot be opened reports storage-failed`() async throws {
        let bench = try JournalBench()
        try FileSystem.write([1, 2, 3], toFile: bench.root + "/.appgroupd")
        let error = await #expect(throws: MediaFailure.self) { try await bench.with { _ in } }
        #expect(error?.reason == .storageFailed)
    }
}
