import Foundation
import LinuxIO
import NotificationModel
import TestSupport
import Testing

@testable import AppGroupStore

/// Each instant between acceptance and settlement at which the daemon may be killed, or the power fail.
@Suite struct JournalRecoveryTests {
    private let bench: JournalBench
    private let entry: JournalEntry
    private let content: EmittedContent
    private let outbox: Outbox

    init() throws {
        bench = try JournalBench()
        entry = try bench.entry("a", .spool(fileName: "a.json"))
        content = bench.content(of: entry)
        outbox = Outbox(root: bench.root)
        try FileSystem.makeDirectory(bench.root + "/.appgroupd")
        try bench.claim(entry)
        let database = try bench.database()
        _ = try database.write(.init(acceptances: [.init(entry: entry)])) { _ in false }
    }

    private func emitInJournal() throws {
        _ = try bench.database().write(.init(results: [.init(content: content)])) { _ in false }
    }

    /// What is accepted after the restart, and which files there are.
    private func restart() async throws -> (entries: [RequestID], files: [String]) {
        var entries: [RequestID] = []
        try await bench.with { entries = try await $0.recover().map(\.key.id) }
        return (entries, try bench.groupFiles())
    }

    @Test func `staged, not in the journal: it is processed again`() async throws {
        try outbox.stage(content)
        let (entries, files) = try await restart()
        #expect(entries == [entry.key.id])
        #expect(files == ["claimed/a.json"])
    }

    @Test func `in the journal, not in the outbox: it is published`() async throws {
        try outbox.stage(content)
        try emitInJournal()
        let (entries, files) = try await restart()
        #expect(entries.isEmpty)
        #expect(files == ["outbox/a.json"])
    }

    @Test func `in the outbox: it stays as it is`() async throws {
        try outbox.stage(content)
        try emitInJournal()
        try outbox.publish(content.key)
        let (entries, files) = try await restart()
        #expect(entries.isEmpty)
        #expect(files == ["outbox/a.json"])
    }

    @Test func `taken by its reader: it is not published a second time`() async throws {
        try outbox.stage(content)
        try emitInJournal()
        try outbox.publish(content.key)
        try FileSystem.remove(outbox.path(of: content.key))
        let (entries, files) = try await restart()
        #expect(entries.isEmpty)
        #expect(files.isEmpty)
    }

    @Test func `the power failed before the bytes were on the disk: the journal has them`() async throws {
        try outbox.stage(content)
        try emitInJournal()
        try outbox.publish(content.key)
        try FileSystem.write([], toFile: outbox.path(of: content.key))
        let (entries, files) = try await restart()
        #expect(entries.isEmpty)
        #expect(files == ["outbox/a.json"])
        #expect(outbox.content(of: content.key) == content)
    }

    @Test func `the power failed before the claim was on the disk: the file is not new`() async throws {
        try FileSystem.makeDirectory(bench.groupDirectory + "/incoming")
        try FileSystem.rename(
            bench.groupDirectory + "/claimed/a.json", to: bench.groupDirectory + "/incoming/a.json")
        let (entries, files) = try await restart()
        #expect(entries == [entry.key.id])
        #expect(files == ["claimed/a.json"])
    }

    @Test func `another file under the same name is another one's`() async throws {
        try FileSystem.makeDirectory(bench.groupDirectory + "/incoming")
        try FileSystem.remove(bench.groupDirectory + "/claimed/a.json")
        try FileSystem.write(Array("{}".utf8), toFile: bench.groupDirectory + "/incoming/a.json")
        let (_, files) = try await restart()
        #expect(files == ["incoming/a.json"])
    }

    @Test func `a result that nobody takes away goes when results are kept no longer`() throws {
        try outbox.stage(content)
        try outbox.publish(content.key)
        let directory = "\(bench.root)/\(content.key.group)/outbox"
        for name in ["notes.txt", "a b.json"] { try Data("x".utf8).write(to: URL(filePath: "\(directory)/\(name)")) }
        outbox.forget(publishedBefore: Date(timeIntervalSinceNow: -60))
        #expect(outbox.holds(content.key))
        outbox.forget(publishedBefore: Date(timeIntervalSinceNow: 60))
        #expect(!outbox.holds(content.key))
        #expect(try FileSystem.names(in: directory).sorted() == ["a b.json", "notes.txt"], "not ours")
    }
}
