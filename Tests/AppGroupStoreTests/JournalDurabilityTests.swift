import Base
import Foundation
import GRDB
import LinuxIO
import NotificationModel
import TestSupport
import Testing

@testable import AppGroupStore
@testable import RequestJournal

/// Tests that an acknowledged request survives a power cut, disk errors, and the removal of the root.
@Suite(.timeLimit(.minutes(1))) struct JournalDurabilityTests {
    private let bench: JournalBench

    init() throws { bench = try JournalBench() }

    @Test func `SQLite syncs each commit of the journal`() async throws {
        try await bench.with { journal in
            let setting = try await journal.database.database.read { database in
                try Int.fetchOne(database, sql: "PRAGMA synchronous")
            }
            #expect(setting == 2)
        }
    }

    @Test func `the journal reopens its database after a failed sync, and keeps each acknowledged request`()
        async throws
    {
        let (acknowledged, later) = (try bench.entry("a"), try bench.entry("b"))
        try await bench.with(pause: .milliseconds(1)) { journal in
            #expect(await journal.accept(acknowledged) == .accepted)
            await journal.failSync()
            #expect(journal.isWritable)
            #expect(await journal.accept(acknowledged) == .known(fingerprint: [7]))
            #expect(await journal.accept(later) == .accepted)
            _ = await journal.publish(bench.content(of: later), from: later.channel).value()
        }
        #expect(bench.warnings.contains { $0.contains("reopened") })
        try await bench.with { journal in
            let recovered = try await journal.recover()
            #expect(recovered.map(\.key) == [acknowledged.key])
        }
    }

    @Test func `the journal refuses requests until its database can be reopened`() async throws {
        let entry = try bench.entry("a")
        let directory = bench.root + "/.appgroupd"
        try await bench.with(pause: .milliseconds(1)) { journal in
            #expect(await journal.accept(entry) == .accepted)
            // SQLite cannot open the WAL while a directory has its name.
            try FileSystem.rename(directory + "/journal.sqlite-wal", to: directory + "/kept-wal")
            try FileSystem.makeDirectory(directory + "/journal.sqlite-wal")
            await journal.failSync()
            #expect(!journal.isWritable)
            guard case .failed = await journal.accept(try bench.entry("b")) else {
                Issue.record("accepted")
                return
            }
            #expect(rmdir(directory + "/journal.sqlite-wal") == 0)
            try FileSystem.rename(directory + "/kept-wal", to: directory + "/journal.sqlite-wal")
            while await journal.accept(try bench.entry("c")) != .accepted { await Task.yield() }
            #expect(journal.isWritable)
        }
    }

    @Test func `a reopened journal contains only acknowledged requests`() throws {
        try FileSystem.makeDirectory(bench.root + "/.appgroupd")
        let database = try bench.database()
        let (first, second) = (try bench.entry("a"), try bench.entry("b"))
        let acknowledged = try database.commit([Acceptance(entry: first)]) { _ in false }
        _ = try database.commit([Acceptance(entry: second)]) { _ in false }
        let fresh = try bench.database()
        _ = try fresh.discard(after: try #require(acknowledged.lastSequence))
        #expect(try fresh.unemitted(tried: 0).entries.map(\.key) == [first.key])
        #expect(FileSystem.size(of: bench.root + "/.appgroupd/journal.sqlite-wal") != 0, "the log has the deletion")
    }

    @Test(arguments: ["root", ".appgroupd", ".appgroupd/journal.sqlite"])
    func `the journal acknowledges no request after its file was moved away`(_ place: String) async throws {
        let moved = place == "root" ? bench.root : bench.root + "/" + place
        try await bench.with(pause: .milliseconds(1)) { journal in
            #expect(await journal.accept(try bench.entry("a")) == .accepted)
            try FileSystem.rename(moved, to: moved + ".away")
            defer { try? FileSystem.rename(moved + ".away", to: moved) }
            for id in ["b", "c"] {
                guard case .failed(let problem) = await journal.accept(try bench.entry(id)) else {
                    Issue.record("accepted")
                    return
                }
                #expect(problem.contains("removed or replaced"))
            }
            #expect(!journal.isWritable)
            #expect(bench.losses.elements == [bench.root])
        }
    }
}

extension RequestJournal {
    /// Simulates a failed sync of a transaction.
    fileprivate func failSync() { recover(from: DatabaseError(resultCode: .SQLITE_IOERR_FSYNC)) }
}
