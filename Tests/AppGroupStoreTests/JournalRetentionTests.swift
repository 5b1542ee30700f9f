import Base
import Foundation
import GRDB
import LinuxIO
import NotificationModel
import TestSupport
import Testing

@testable import AppGroupStore
@testable import RequestJournal

/// Tests of the retention and the quota of results.
@Suite(.timeLimit(.minutes(1))) struct JournalRetentionTests {
    private func emit(_ ids: [String], _ channel: RequestChannel, in journal: RequestJournal, _ bench: JournalBench)
        async throws
    {
        for id in ids {
            let entry = try bench.entry(id, channel)
            #expect(await journal.accept(entry) == .accepted)
            _ = await journal.publish(bench.content(of: entry, byteCount: 1_000), from: channel).value()
        }
    }

    private func kept(_ ids: [String], in journal: RequestJournal, _ bench: JournalBench) async throws -> [String] {
        var kept: [String] = []
        for id in ids where await journal.content(of: try bench.entry(id).key) != nil { kept.append(id) }
        return kept
    }

    /// Makes results look older.
    private func age(_ bench: JournalBench, by seconds: Int) throws {
        try bench.database().database.write { database in
            try database.execute(sql: "UPDATE request SET emittedAt = emittedAt - ?", arguments: [seconds])
        }
    }

    @Test func `the journal deletes results within a minute after their retention`() async throws {
        let bench = try JournalBench()
        try await bench.with(resultRetention: .seconds(120)) { journal in
            try await emit(["a"], .detached, in: journal, bench)
            try age(bench, by: 100)
            await journal.tidyEachMinute()
            #expect(try await kept(["a"], in: journal, bench) == ["a"])
            try age(bench, by: 21)
            await journal.tidyEachMinute()
            #expect(try await kept(["a"], in: journal, bench) == [])
        }
    }

    @Test func `the journal deletes delivered results of unkeyed requests after ten minutes`() async throws {
        let bench = try JournalBench()
        try await bench.with { journal in
            try await emit(["delivered", "undelivered"], .call, in: journal, bench)
            try await emit(["keyed"], .detached, in: journal, bench)
            journal.keepUndelivered(try bench.entry("undelivered").key)
            _ = await journal.accept(try bench.entry("later"))
            try age(bench, by: 601)
            await journal.tidyEachMinute()
            #expect(
                try await kept(["delivered", "undelivered", "keyed"], in: journal, bench) == ["undelivered", "keyed"])
        }
    }

    @Test func `the journal deletes the oldest results when the bytes of all results exceed the quota`() async throws {
        let bench = try JournalBench(quota: 5_000)
        let ids = (0..<8).map { "\($0)" }
        try await bench.with { journal in
            try await emit(ids, .detached, in: journal, bench)
            let unemitted = try bench.entry("unemitted")
            #expect(await journal.accept(unemitted) == .accepted)
            await journal.tidyEachMinute()
            let kept = try await kept(ids, in: journal, bench)
            #expect(kept == Array(ids.suffix(4)), "the newest results fill the quota")
            #expect(await journal.accept(unemitted) == .known(fingerprint: [7]), "a request without a result stays")
        }
    }

    @Test func `the journal computes the bytes of all stored results at its start`() async throws {
        let bench = try JournalBench()
        try await bench.with { journal in
            try await emit(["a", "b"], .detached, in: journal, bench)
            try await emit(["c"], .call, in: journal, bench)
            let counted = await journal.resultBytes
            #expect(counted > 3_000)
            #expect(try bench.database().resultBytes() == counted)
        }
    }

    @Test func `the journal file shrinks after its results were deleted`() async throws {
        let bench = try JournalBench()
        try FileSystem.makeDirectory(bench.root + "/.appgroupd")
        let database = try bench.database()
        #expect(try database.shrinksInSteps())
        for number in 0..<200 {
            let entry = try bench.entry("\(number)")
            let content = bench.content(of: entry, byteCount: 50_000)
            _ = try database.commit(
                [Acceptance(entry: entry), Emission(content: content, channel: entry.channel)]
            ) { _ in false }
        }
        let full = try database.pageCount()
        _ = try database.forget(emittedBefore: .distantFuture, unkeyedBefore: .distantFuture, atMost: 1_000)
        #expect(try database.pageCount() == full)
        var steps = 1
        while try database.shrink(by: 100, spare: 64) { steps += 1 }
        #expect(steps > 10)
        #expect(try database.pageCount() < full / 4)
    }

    @Test func `a journal that an older version wrote shrinks in steps after it is rebuilt`() async throws {
        let bench = try JournalBench()
        try FileSystem.makeDirectory(bench.root + "/.appgroupd")
        let older = try DatabaseQueue(path: bench.root + "/.appgroupd/journal.sqlite")
        try await older.write { try $0.execute(sql: "CREATE TABLE something (x)") }
        try older.close()
        let database = try bench.database()
        let entry = try bench.entry("a")
        _ = try database.commit([Acceptance(entry: entry)]) { _ in false }
        #expect(try !database.shrinksInSteps())
        try database.rebuild()
        #expect(try database.shrinksInSteps())
        #expect(try database.unemitted(tried: 0).entries.map(\.key) == [entry.key])
    }
}

extension JournalDatabase {
    fileprivate func pageCount() throws -> Int {
        try database.read { try Int.fetchOne($0, sql: "PRAGMA page_count") ?? 0 }
    }
}
