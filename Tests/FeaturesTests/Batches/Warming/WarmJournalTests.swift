import Foundation
import LinuxIO
import NotificationModel
import TestSupport
import Testing

@testable import Features

/// Tests of journals of runs that did not reach their ends.
@Suite struct WarmJournalTests {
    private let directory: TemporaryDirectory
    private let path: String
    private let batch = WarmBatch(sources: ["/urls.txt"], target: "/var", options: ["ios"])
    private let items = WarmSamples.items(3)
    private let began = Date(timeIntervalSince1970: 1_800_000_000)

    init() throws {
        directory = try TemporaryDirectory()
        path = "\(directory.path)/a.journal"
    }

    private func record(_ index: Int, _ reason: DegradationReason? = nil) -> WarmRecord {
        let item = items[index]
        let outcome = reason.map { WarmSamples.failed(item, $0) } ?? WarmSamples.warm(item)
        return WarmRecord(item, outcome, took: .milliseconds(12))
    }

    /// Opens the journal, calls `body`, and closes it.
    private func open(
        _ use: WarmJournalUse = .automatic, _ batch: WarmBatch? = nil,
        _ body: (WarmJournal) async throws -> Void = { _ in }
    ) async throws -> WarmHistory {
        let journal = try WarmJournal(path)
        defer { journal.shutdown() }
        let history = try await journal.begin(batch ?? self.batch, use, at: began)
        try await body(journal)
        return history
    }

    @Test func `a run that did not end is continued, and its failures are tried again`() async throws {
        _ = try await open { try await $0.append([record(0), record(1, .httpStatus)]) }
        var earlier: [WarmRecord] = []
        let history = try await open { journal in
            try await journal.append([record(2)])
            earlier = try await journal.earlierRecords()
        }
        #expect(history.done == [items[0].key])
        #expect(history.began == began)
        #expect(earlier == [record(0)])
    }

    @Test func `journals that no run has written for a long time are removed`() async throws {
        _ = try await open { try await $0.append([record(0)]) }
        for name in ["old.journal", "held.journal", "notes.txt"] {
            try Data("{}\n".utf8).write(to: URL(filePath: "\(directory.path)/\(name)"))
        }
        let locked = try WarmJournal("\(directory.path)/held.journal")
        let names = { try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() }
        WarmJournal.removeOld(in: directory.path, before: .now.addingTimeInterval(-60), except: path)
        #expect(try names().count == 4)
        WarmJournal.removeOld(in: directory.path, before: .now.addingTimeInterval(60), except: path)
        #expect(try names() == ["a.journal", "held.journal", "notes.txt"])
        locked.shutdown()
    }

    @Test func `an incomplete last line is removed`() async throws {
        _ = try await open { try await $0.append([record(0)]) }
        let whole = try Data(contentsOf: URL(filePath: path))
        try (whole + Data(#"{"key": "0123"#.utf8)).write(to: URL(filePath: path))
        let history = try await open { try await $0.append([record(2)]) }
        #expect(history.done.count == 1)
        #expect(try await open().done.count == 2)
        #expect(try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").count == 3)
    }

    @Test func `a completed run is not continued`() async throws {
        _ = try await open {
            try await $0.append([record(0), record(1, .dnsFailed)])
            try await $0.end(failed: 1)
        }
        #expect(try await open().done.isEmpty)
    }

    @Test func `a named journal with failures is continued after its end`() async throws {
        let write: (WarmJournal) async throws -> Void = {
            try await $0.append([record(0), record(1, .dnsFailed)])
            try await $0.end(failed: 1)
        }
        _ = try await open(.named, nil, write)
        let history = try await open(.named) {
            try await $0.append([record(1)])
            try await $0.end(failed: 0)
        }
        #expect(history.done == [items[0].key])
        #expect(try await open(.named).done.isEmpty)
    }

    @Test func `a named journal of another batch is refused`() async throws {
        _ = try await open { try await $0.append([record(0)]) }
        let other = WarmBatch(sources: ["/urls.txt"], target: "/var", options: ["web"])
        await #expect(throws: WarmJournalError.foreign) { try await open(.named, other) }
        #expect(try await open().done.count == 1)
    }

    @Test func `a named journal of another root or daemon is refused`() async throws {
        _ = try await open { try await $0.append([record(0)]) }
        let other = WarmBatch(sources: ["/urls.txt"], target: "http://127.0.0.1:8480", options: ["ios"])
        #expect(other.key != batch.key)
        await #expect(throws: WarmJournalError.foreign) { try await open(.named, other) }
    }

    @Test func `a named file that is not a journal is refused and not changed`() async throws {
        let text = "http://a.example/1.jpg\nhttp://a.example/2.jpg\n"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        await #expect(throws: WarmJournalError.foreign) { try await open(.named) }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }

    @Test func `a journal in use is locked`() async throws {
        _ = try await open { _ in #expect(throws: WarmJournalError.locked) { try WarmJournal(path) } }
    }

    @Test func `a record does not change when it is written and read again`() {
        var written = record(1, .tooLarge)
        written.kept = 3
        #expect(WarmRecord(written.json) == written)
    }

    @Test func `invalid numbers of a journal are clamped, and the sums of clamped numbers do not overflow`() throws {
        var written = record(0)
        (written.media, written.sourceBytes, written.milliseconds) = (.max, .max, -5)
        var report = WarmReport()
        let read = try #require(WarmRecord(written.json))
        for _ in 0..<3 { report.add(read) }
        #expect(report.total.media == 3 << 50 && report.total.sourceBytes == 3 << 50)
        for _ in 0..<10_000 { report.add(read) }
        #expect(report.total.sourceBytes == .max)
        #expect(report.total.milliseconds == 0)
    }
}

extension WarmJournal {
    fileprivate func earlierRecords() throws -> [WarmRecord] {
        var records: [WarmRecord] = []
        try forEachEarlier { records.append($0) }
        return records
    }
}
