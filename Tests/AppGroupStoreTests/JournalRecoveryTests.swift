import Foundation
import LinuxIO
import NotificationModel
import TestSupport
import Testing

@testable import AppGroupStore
@testable import RequestJournal

/// Tests of a restart after the daemon was killed or the power failed, at each instant between acceptance and
/// finalization.
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
        _ = try database.commit([Acceptance(entry: entry)]) { _ in false }
    }

    private func emitInJournal() throws {
        _ = try bench.database().commit([Emission(content: content, channel: entry.channel)]) { _ in false }
    }

    /// Returns the recovered requests after a restart, and the files of the group.
    private func restart() async throws -> (entries: [RequestID], files: [String]) {
        var entries: [RequestID] = []
        try await bench.with { entries = try await $0.recover().map(\.key.id) }
        return (entries, try bench.groupFiles())
    }

    @Test func `a request with a staged result and without a journaled result is processed again`() async throws {
        try outbox.stage(content)
        let (entries, files) = try await restart()
        #expect(entries == [entry.key.id])
        #expect(files == ["claimed/a.json"])
    }

    @Test func `a journaled result that is not in the outbox is published`() async throws {
        try outbox.stage(content)
        try emitInJournal()
        let (entries, files) = try await restart()
        #expect(entries.isEmpty)
        #expect(files == ["outbox/a.json"])
    }

    @Test func `a restart does not change a result in the outbox`() async throws {
        try outbox.stage(content)
        try emitInJournal()
        try outbox.publish(content.key)
        let (entries, files) = try await restart()
        #expect(entries.isEmpty)
        #expect(files == ["outbox/a.json"])
    }

    @Test func `a result that its reader has removed is not published again`() async throws {
        try outbox.stage(content)
        try emitInJournal()
        try outbox.publish(content.key)
        try FileSystem.remove(outbox.path(of: content.key))
        let (entries, files) = try await restart()
        #expect(entries.isEmpty)
        #expect(files.isEmpty)
    }

    @Test func `a published result whose bytes a power cut has lost is restored from the journal`() async throws {
        try outbox.stage(content)
        try emitInJournal()
        try outbox.publish(content.key)
        try FileSystem.write([], toFile: outbox.path(of: content.key))
        let (entries, files) = try await restart()
        #expect(entries.isEmpty)
        #expect(files == ["outbox/a.json"])
        #expect(outbox.content(of: content.key) == content)
    }

    @Test func `a file whose claim was undone by a power cut is claimed again`() async throws {
        try FileSystem.makeDirectory(bench.groupDirectory + "/incoming")
        try FileSystem.rename(
            bench.groupDirectory + "/claimed/a.json", to: bench.groupDirectory + "/incoming/a.json")
        let (entries, files) = try await restart()
        #expect(entries == [entry.key.id])
        #expect(files == ["claimed/a.json"])
    }

    @Test func `a new file that has the name of an earlier claim stays in incoming after a restart`() async throws {
        try FileSystem.makeDirectory(bench.groupDirectory + "/incoming")
        try FileSystem.remove(bench.groupDirectory + "/claimed/a.json")
        try FileSystem.write(Array("{}".utf8), toFile: bench.groupDirectory + "/incoming/a.json")
        let (_, files) = try await restart()
        #expect(files == ["incoming/a.json"])
    }

    @Test func `the finalizer is full until its results are synced`() async throws {
        let root = bench.root + "/later"
        let finalizer = try OutboxFinalizer(root: root)
        let result = PublishedResult(key: content.key, fileName: "x.json")
        finalizer.finalize(Array(repeating: result, count: OutboxFinalizer.maxUnfinalized - 1))
        #expect(!finalizer.isFull)
        finalizer.finalize([result])
        #expect(finalizer.isFull)
        try FileSystem.makeDirectory(root)
        try await wait(for: "the results to be synced") { !finalizer.isFull }
        await finalizer.shutdown()
    }

    @Test func `an unread result is removed from the outbox after its retention`() throws {
        try outbox.stage(content)
        try outbox.publish(content.key)
        let directory = "\(bench.root)/\(content.key.group)/outbox"
        for name in ["notes.txt", "a b.json"] { try Data("x".utf8).write(to: URL(filePath: "\(directory)/\(name)")) }
        outbox.forget(publishedBefore: Date(timeIntervalSinceNow: -60))
        #expect(outbox.holds(content.key))
        outbox.forget(publishedBefore: Date(timeIntervalSinceNow: 60))
        #expect(!outbox.holds(content.key))
        #expect(try FileSystem.names(in: directory).sorted() == ["a b.json", "notes.txt"], "foreign files stay")
    }
}
