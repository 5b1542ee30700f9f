import Base
import Foundation
import GRDB
import LinuxIO
import NotificationModel
import TestSupport
import Testing

@testable import AppGroupStore
@testable import RequestJournal

/// Tests of the journal on a full disk, with and without a cache that can free space.
@Suite(.timeLimit(.minutes(1))) struct JournalFullDiskTests {
    private let bench: JournalBench

    init() throws { bench = try JournalBench() }

    /// Makes writes to a result's staged file fail with ENOSPC.
    private func fillStagedFile(of entry: JournalEntry) throws -> String {
        try FileSystem.makeDirectory(bench.groupDirectory + "/.staged")
        let path = "\(bench.groupDirectory)/.staged/\(entry.key.id).json"
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/full")
        return path
    }

    @Test func `a request is accepted after space is freed on the journal's full disk`() async throws {
        let entry = try bench.entry("a")
        let asked = Guarded<[Int]>([])
        @Sendable func freeSpace(_ journal: RequestJournal, _ byteCount: Int) async -> Bool {
            asked.withLock { $0.append(byteCount) }
            try? await journal.limit(toMorePages: 100)
            return true
        }
        try await bench.with(freeSpace: freeSpace) { journal in
            try await journal.limit(toMorePages: 0)
            for number in 0..<20 {
                #expect(await journal.accept(try bench.entry("\(number)", bodyByteCount: 2_000)) == .accepted)
            }
            #expect(await journal.accept(entry) == .accepted)
            _ = await journal.publish(bench.content(of: entry), from: entry.channel).value()
            #expect(await journal.content(of: entry.key) == bench.content(of: entry))
        }
        #expect(asked.withLock { $0.count } == 1)
        #expect(asked.withLock { $0 }.allSatisfy { $0 > 2_000 })
        #expect(bench.warnings.isEmpty)
    }

    @Test func `the journal requests space again until a request fits or no space can be freed`() async throws {
        let entry = try bench.entry("a", bodyByteCount: 60_000)
        let asked = Guarded(0)
        @Sendable func freeSpace(_ journal: RequestJournal, _: Int) async -> Bool {
            let count = asked.withLock { asked in
                asked += 1
                return asked
            }
            if count == 3 { try? await journal.limit(toMorePages: 100) }
            return true
        }
        try await bench.with(freeSpace: freeSpace) { journal in
            try await journal.limit(toMorePages: 0)
            #expect(await journal.accept(entry) == .accepted)
        }
        #expect(asked.withLock { $0 } == 3)
    }

    @Test func `the journal refuses requests and delays results if no space can be freed`() async throws {
        let entry = try bench.entry("a")
        try await bench.with(pause: .milliseconds(1)) { journal in
            #expect(await journal.accept(entry) == .accepted)
            try await journal.limit(toMorePages: 0)
            let large = try bench.entry("b", bodyByteCount: 60_000)
            guard case .failed(let problem) = await journal.accept(large) else {
                Issue.record("accepted")
                return
            }
            #expect(problem.contains("full"))
            let content = bench.content(of: entry, byteCount: 60_000)
            let published = journal.publish(content, from: entry.channel)
            #expect(await journal.content(of: entry.key) == nil)
            try await journal.limit(toMorePages: 100)
            _ = await published.value()
            #expect(await journal.content(of: entry.key) == content)
        }
        #expect(bench.warnings.count == 1)
    }

    @Test func `the journal reports a full disk as writable only when the refused request fits`() async throws {
        try await bench.with(pause: .milliseconds(1)) { journal in
            try await journal.limit(toMorePages: 4)
            guard case .failed = await journal.accept(try bench.entry("a", bodyByteCount: 60_000)) else {
                Issue.record("accepted")
                return
            }
            #expect(!journal.isWritable)
            try await journal.limit(toMorePages: 100)
            while !journal.isWritable { await Task.yield() }
            #expect(await journal.accept(try bench.entry("a", bodyByteCount: 60_000)) == .accepted)
        }
    }

    @Test func `the journal is not reported as writable if it refused a large batch and later accepted a small batch`()
        async throws
    {
        try await bench.with(pause: .seconds(3_600)) { journal in
            try await journal.limit(toMorePages: 0)
            _ = await journal.accept(try bench.entry("large", bodyByteCount: 60_000))
            #expect(!journal.isWritable)
            var refused = false
            for number in 0..<100 where !refused {
                let admission = await journal.accept(try bench.entry("\(number)", bodyByteCount: 2_000))
                if case .failed = admission { refused = true }
            }
            #expect(refused)
            try await journal.limit(toMorePages: 4)
            #expect(await journal.accept(try bench.entry("small", bodyByteCount: 2_000)) == .accepted)
            #expect(!journal.isWritable)
        }
    }

    @Test func `a result is published after space is freed on the outbox's full disk`() async throws {
        let (entry, other) = (try bench.entry("a", .spool(fileName: "a.json")), try bench.entry("other"))
        let path = try fillStagedFile(of: entry)
        @Sendable func freeSpace(_: RequestJournal, _: Int) async -> Bool {
            try? FileSystem.remove(path)
            return true
        }
        try await bench.with(pause: .seconds(3_600), freeSpace: freeSpace) { journal in
            _ = await journal.accept(entry)
            _ = await journal.accept(other)
            _ = journal.publish(bench.content(of: other), from: other.channel)
            _ = await journal.publish(bench.content(of: entry), from: entry.channel).value()
        }
        #expect(try bench.groupFiles() == ["outbox/a.json"])
        #expect(bench.warnings.isEmpty)
    }

    @Test func `a scheduled write after the end of the journal has no effect`() async throws {
        try await bench.with { journal in
            await journal.close()
            await journal.write()
        }
        #expect(bench.warnings.isEmpty)
    }

    @Test func `the journal tries to publish a delayed result again when the journal ends`() async throws {
        let entry = try bench.entry("a", .spool(fileName: "a.json"))
        let path = try fillStagedFile(of: entry)
        try await bench.with(pause: .seconds(3_600)) { journal in
            _ = await journal.accept(entry)
            _ = journal.publish(bench.content(of: entry), from: entry.channel)
            // These requests are committed after the result's first try and after its second try.
            for id in ["b", "c"] { #expect(await journal.accept(try bench.entry(id)) == .accepted) }
            #expect(bench.warnings.count == 1)
            try FileSystem.remove(path)
        }
        #expect(try bench.groupFiles() == ["outbox/a.json"])
    }

    @Test func `a result that the disk never accepts is processed after the next start`() async throws {
        let entry = try bench.entry("a", .spool(fileName: "a.json"))
        let path = try fillStagedFile(of: entry)
        let published = Guarded<Waiter<Bool>?>(nil)
        try await bench.with { journal in
            _ = await journal.accept(entry)
            published.withLock { $0 = journal.publish(bench.content(of: entry), from: entry.channel) }
        }
        #expect(published.withLock(\.self)?.isResumed == false)
        try FileSystem.remove(path)
        try await bench.with { journal in
            let recovered = try await journal.recover()
            #expect(recovered.map(\.key) == [entry.key])
        }
    }

    @Test func `the journal starts on a full disk after space is freed`() async throws {
        let entry = try bench.entry("a", .spool(fileName: "a.json"))
        // A file that has the name of the directory prevents each move into this directory.
        try FileSystem.write([], toFile: bench.groupDirectory + "/outbox")
        let published = Guarded<Waiter<Bool>?>(nil)
        try await bench.with(pause: .seconds(3_600)) { journal in
            _ = await journal.accept(entry)
            published.withLock { $0 = journal.publish(bench.content(of: entry), from: entry.channel) }
        }
        #expect(published.withLock(\.self)?.isResumed == false)
        try FileSystem.remove(bench.groupDirectory + "/outbox")
        try FileSystem.remove(bench.groupDirectory + "/.staged/a.json")
        let path = try fillStagedFile(of: entry)
        @Sendable func freeSpace(_: RequestJournal, _: Int) async -> Bool {
            try? FileSystem.remove(path)
            try? FileSystem.write([], toFile: path)
            return true
        }
        try await bench.with(freeSpace: freeSpace) { journal in
            let recovered = try await journal.recover()
            #expect(recovered.isEmpty)
        }
        #expect(try bench.groupFiles() == ["outbox/a.json"])
    }
}

extension RequestJournal {
    /// Simulates a disk with space for a number of further pages of the journal.
    fileprivate func limit(toMorePages count: Int) throws {
        try database.database.write { database in
            let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            try database.execute(sql: "PRAGMA max_page_count = \(pages + count)")
        }
    }
}
