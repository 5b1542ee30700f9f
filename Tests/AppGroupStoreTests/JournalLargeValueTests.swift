import Base
import Foundation
import GRDB
import LinuxIO
import NotificationModel
import TestSupport
import Testing

@testable import AppGroupStore
@testable import RequestJournal

/// Tests of bodies and results that are too large for a row.
@Suite(.timeLimit(.minutes(1))) struct JournalLargeValueTests {
    private let bench: JournalBench

    init() throws { bench = try JournalBench() }

    private var files: [String] { (try? FileSystem.names(in: bench.root + "/.appgroupd/values")) ?? [] }

    /// Returns the length of the longest value in a row.
    private func maxValue() throws -> Int {
        try bench.database().database.read { database in
            try Int.fetchOne(
                database, sql: "SELECT max(max(ifnull(length(body), 0), ifnull(length(content), 0))) FROM request") ?? 0
        }
    }

    @Test(arguments: [RequestChannel.detached, .spool(fileName: "a.json")])
    func `a large body and a large result are stored in files and read back`(_ channel: RequestChannel) async throws {
        let entry = try bench.entry("a", channel, bodyByteCount: 100_000)
        let content = bench.content(of: entry, byteCount: 200_000)
        try bench.claim(entry)
        try await bench.with { journal in #expect(await journal.accept(entry) == .accepted) }
        #expect(files.count == 1)
        #expect(try maxValue() == 0)
        try await bench.with { journal in
            let recovered = try await journal.recover()
            #expect(recovered.map(\.body) == [entry.body])
            _ = await journal.publish(content, from: channel).value()
            #expect(await journal.content(of: entry.key) == content)
        }
        #expect(try maxValue() == 0)
        #expect(files.count == (channel == .detached ? 1 : 0), "the files of the body and the result are removed")
        try await bench.with { journal in
            let recovered = try await journal.recover()
            #expect(recovered.isEmpty)
            #expect(await journal.content(of: entry.key) == content)
        }
    }

    @Test(arguments: [100, 200_000])
    func `a request and its result are accepted in one transaction`(byteCount: Int) async throws {
        let entry = try bench.entry("a", bodyByteCount: 100_000)
        let content = bench.content(of: entry, byteCount: byteCount)
        let isFile = byteCount > ValueFiles.threshold
        try await bench.with { journal in
            #expect(await journal.accept(entry, with: content) == .accepted)
            #expect(await journal.content(of: entry.key) == content)
            #expect(await journal.accept(entry, with: content) == .known(fingerprint: entry.fingerprint))
        }
        #expect(files.count == (isFile ? 1 : 0), "the body is not stored, and the second result's file is removed")
        #expect(try maxValue() == (isFile ? 0 : content.json.count))
        try await bench.with { journal in
            let recovered = try await journal.recover()
            #expect(recovered.isEmpty)
            #expect(await journal.content(of: entry.key) == content)
        }
    }

    @Test func `a body of 64 KiB is stored in its row`() async throws {
        let entry = try bench.entry("a", bodyByteCount: ValueFiles.threshold - bench.entry("a").body.count)
        try await bench.with { journal in #expect(await journal.accept(entry) == .accepted) }
        #expect(files.isEmpty)
        #expect(try maxValue() == ValueFiles.threshold)
    }

    @Test func `the journal removes the file of a refused body whose id is in use`() async throws {
        let entry = try bench.entry("a", bodyByteCount: 100_000)
        try await bench.with { journal in
            #expect(await journal.accept(entry) == .accepted)
            #expect(await journal.accept(entry) == .known(fingerprint: [7]))
        }
        #expect(files.count == 1)
    }

    @Test func `the start of the journal removes files that no row names`() async throws {
        let entry = try bench.entry("a", bodyByteCount: 100_000)
        try await bench.with { journal in #expect(await journal.accept(entry) == .accepted) }
        let named = files
        try FileSystem.write([1], toFile: bench.root + "/.appgroupd/values/left")
        try await bench.with { journal in _ = try await journal.recover() }
        #expect(files == named)
    }

    @Test func `the journal reports an accepted request whose body is lost, and recovers the other requests`()
        async throws
    {
        let (lost, other) = (try bench.entry("a", bodyByteCount: 100_000), try bench.entry("b"))
        try await bench.with { journal in
            for entry in [lost, other] { #expect(await journal.accept(entry) == .accepted) }
        }
        try FileSystem.remove(bench.root + "/.appgroupd/values/" + #require(files.first))
        try await bench.with { journal in
            let recovered = try await journal.recover()
            #expect(recovered.map(\.key) == [other.key])
        }
        #expect(bench.warnings.contains { $0.hasPrefix("1 accepted request") })
    }
}
