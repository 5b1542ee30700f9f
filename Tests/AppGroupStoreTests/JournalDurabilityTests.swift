import Foundation
import GRDB
import LinuxIO
import NotificationModel
import TestSupport
import Testing

@testable import AppGroupStore

/// What the journal does so that an acknowledged request outlives the power, the disk's errors, and the root's removal.
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

    @Test func `a journal is opened anew after a failed sync, and what it acknowledged is there`() async throws {
        let (acknowledged, later) = (try bench.entry("a"), try bench.entry("b"))
        try await bench.with(pause: .milliseconds(1)) { journal in
            #expect(await journal.accept(acknowledged) == .accepted)
            await journal.failSync()
            #expect(journal.isWritable)
            #expect(await journal.accept(acknowledged) == .known(fingerprint: [7]))
            #expect(await journal.accept(later) == .accepted)
            await journal.emit(bench.content(of: later), from: later.origin)
        }
        #expect(bench.complaints.contains { $0.contains("opened anew") })
        try await bench.with { journal in
            let recovered = try await journal.recover()
            #expect(recovered.map(\.key) == [acknowledged.key])
        }
    }

    @Test func `the journal is tried again until it can be opened anew, and refuses meanwhile`() async throws {
        let entry = try bench.entry("a")
        let folder = bench.root + "/.appgroupd"
        try await bench.with(pause: .milliseconds(1)) { journal in
            #expect(await journal.accept(entry) == .accepted)
            // SQLite cannot make the index of the WAL anew while a folder has its name.
            let old = try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions]
            try FileSystem.rename(folder + "/journal.sqlite-wal", to: folder + "/kept-wal")
            try FileSystem.makeFolder(folder + "/journal.sqlite-wal")
            await journal.failSync()
            #expect(!journal.isWritable)
            guard case .failed = await journal.accept(try bench.entry("b")) else {
                Issue.record("accepted")
                return
            }
            #expect(rmdir(folder + "/journal.sqlite-wal") == 0)
            try FileSystem.rename(folder + "/kept-wal", to: folder + "/journal.sqlite-wal")
            while await journal.accept(try bench.entry("c")) != .accepted { await Task.yield() }
            #expect(journal.isWritable)
            #expect(old != nil)
        }
    }

    @Test func `a request that was not acknowledged is gone when the journal is opened anew`() throws {
        try FileSystem.makeFolder(bench.root + "/.appgroupd")
        let database = try bench.database()
        let (first, second) = (try bench.entry("a"), try bench.entry("b"))
        let acknowledged = try database.write(.init(acceptances: [.init(entry: first)])) { _ in false }
        _ = try database.write(.init(acceptances: [.init(entry: second)])) { _ in false }
        let fresh = try bench.database()
        _ = try fresh.discard(after: try #require(acknowledged.lastSequence))
        #expect(try fresh.unemitted(tried: 0).entries.map(\.key) == [first.key])
        #expect(FileSystem.size(of: bench.root + "/.appgroupd/journal.sqlite-wal") != 0, "the deletion is in it")
    }

    @Test(arguments: ["root", ".appgroupd", ".appgroupd/journal.sqlite"])
    func `nothing is acknowledged once the journal is not where it was`(_ place: String) async throws {
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
    /// As if the sync of a transaction had failed.
    fileprivate func failSync() { recover(from: DatabaseError(resultCode: .SQLITE_IOERR_FSYNC)) }
}
