import Base
import Foundation
import NotificationModel
import TestSupport
import Testing

@testable import Features

/// Tests of stored batches: their states, their results, and their recovery.
@Suite(.timeLimit(.minutes(1))) struct StoredBatchTests {
    /// A quota of which one caller can have 128 KiB.
    private static let quota = (128 << 10) * 4 / 3

    private static func longLines(_ count: Int) -> [String] {
        (0..<count).map { #"{"id":"l-\#($0)","x":"\#(String(repeating: "x", count: 1_000))"}"# }
    }

    private static func lines(_ count: Int) -> [String] { (0..<count).map { #"{"id":"l-\#($0)"}"# } }

    @Test func `a stored batch is processed, and its results stay`() async throws {
        let bench = try await BatchBench()
        #expect(await bench.store(Self.lines(600), as: "summer") == .accepted(try #require(RequestID("summer"))))
        try await wait(for: "the end of the batch") { await bench.state(of: "summer") == "ended" }
        let results = try await bench.results(of: "summer")
        #expect(Set(results.compactMap { $0["line"]?.integer }) == Set(1...600))
        #expect(results.last?["summary"]?["lines"] == 600)
        #expect(try await bench.results(of: "summer", after: 598).count == 3)
        #expect(try await bench.results(of: "summer", after: 600).count == 1)
        #expect(try await bench.results(of: "summer", after: 10_000).count == 1)
        let figures = bench.batches.figures
        #expect(figures.open == 0 && figures.ended == 1)
        #expect(figures.emittedLines == 600 && figures.failedLines == 0)
        #expect(figures.byteCount > 0)
        await bench.kill()
    }

    @Test func `the same body joins its batch, and another body is in conflict with it`() async throws {
        let bench = try await BatchBench()
        let id = try #require(RequestID("summer"))
        #expect(await bench.store(Self.lines(3), as: "summer") == .accepted(id))
        #expect(await bench.store(Self.lines(3), as: "summer") == .joined(id))
        #expect(await bench.store(Self.lines(4), as: "summer") == .conflict(id))
        let other = await bench.batches.store(BatchCall(owner: "other"), as: id, BatchBench.body(Self.lines(4)))
        #expect(other == .accepted(id))
        await bench.kill()
    }

    @Test func `a stored batch holds no descriptor while its lines are processed`() async throws {
        let bench = try await BatchBench(FakeIntake(holds: true), units: 64)
        for number in 0..<16 { _ = await bench.store(["{\"id\":\"line-\(number)\"}"], as: "batch-\(number)") }
        try await wait(for: "all lines are submitted") { bench.intake.submissions.count == 16 }
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter { descriptor in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
            return target?.hasPrefix(bench.directory.path) == true
        }
        #expect(open.isEmpty)
        await bench.kill()
    }

    @Test func `a stored batch pauses at the quota, and goes on when another one is removed`() async throws {
        let bench = try await BatchBench { $0.quota = Self.quota }
        _ = await bench.store(Self.longLines(100), as: "first")
        try await wait(for: "the end of the first batch") { await bench.state(of: "first") == "ended" }
        _ = await bench.store(Self.lines(600), as: "second")
        try await wait(for: "the pause") { await bench.value("waitingFor", of: "second") == "quota" }
        #expect(await bench.state(of: "second") == "running")
        #expect(bench.batches.figures.byteCount <= Self.quota * 3 / 4)
        #expect(try await bench.results(of: "second").count < 600)
        var call = BatchBench.call
        call.owner = "other"
        let other = try #require(RequestID("other"))
        #expect(await bench.batches.store(call, as: other, BatchBench.body(Self.lines(1))) == .accepted(other))
        try await wait(for: "the end of another caller's batch") {
            await bench.batches.state(of: other, of: "other")?["state"]?.string == "ended"
        }
        #expect(await bench.batches.remove(try #require(RequestID("first")), of: "test") == .cancelled)
        try await wait(for: "the end of the second batch") { await bench.state(of: "second") == "ended" }
        #expect(await bench.value("waitingFor", of: "second") == .null)
        #expect(try await bench.results(of: "second").count == 601)
        await bench.kill()
    }

    @Test func `a line that waited for the quota has had its budget since then`() async throws {
        let clock = ManualClock()
        let bench = try await BatchBench(clock: clock) { $0.quota = Self.quota }
        _ = await bench.store(Self.longLines(110), as: "first")
        try await wait(for: "the end of the first batch") { await bench.state(of: "first") == "ended" }
        let begin = clock.now
        _ = await bench.store([#"{"x":"\#(String(repeating: "x", count: 12_000))"}"#], as: "second")
        try await wait(for: "the pause") { await bench.value("waitingFor", of: "second") == "quota" }
        clock.advance(by: .seconds(3_600))
        _ = await bench.batches.remove(try #require(RequestID("first")), of: "test")
        try await wait(for: "the end of the second batch") { await bench.state(of: "second") == "ended" }
        #expect(bench.intake.submissions.last?.arrival.instant == begin)
        await bench.kill()
    }

    @Test func `a removed batch is unknown, and its space is free`() async throws {
        let bench = try await BatchBench(FakeIntake(holds: true), units: 8)
        let id = try #require(RequestID("summer"))
        _ = await bench.store(Self.lines(100), as: "summer")
        try await wait(for: "the first lines are submitted") { bench.intake.submissions.count == 4 }
        #expect(await bench.batches.remove(id, of: "other") == .unknown)
        #expect(await bench.batches.remove(id, of: "test") == .cancelled)
        #expect(await bench.batches.state(of: id, of: "test") == nil)
        #expect(await bench.batches.remove(id, of: "test") == .unknown)
        #expect(bench.batches.figures.byteCount == 0)
        #expect(try bench.directory.files().isEmpty)
        await bench.kill()
    }

    @Test func `a batch that cannot be published ends the wait of those that join it`() async throws {
        let bench = try await BatchBench()
        let id = try #require(RequestID("summer"))
        // A file in place of the directory of the batch lets the publication fail.
        let path = bench.batches.directory.path(of: id, of: "test")
        try Data().write(to: URL(fileURLWithPath: path))
        async let first = bench.store(Self.lines(3), as: "summer")
        async let second = bench.store(Self.lines(3), as: "summer")
        #expect(await [first, second] == [.failed, .failed])
        #expect(await bench.batches.state(of: id, of: "test") == nil)
        await bench.kill()
    }

    @Test func `other callers do not see a batch`() async throws {
        let bench = try await BatchBench()
        _ = await bench.store(Self.lines(3), as: "summer")
        let id = try #require(RequestID("summer"))
        #expect(await bench.batches.state(of: id, of: "other") == nil)
        #expect(await bench.batches.results(of: id, of: "other", after: 0) == nil)
        #expect(await bench.batches.cancel(id, of: "other") == .unknown)
        await bench.kill()
    }

    @Test func `a cancelled batch cancels its requests, and reads no further line`() async throws {
        let bench = try await BatchBench(FakeIntake(holds: true), units: 8)
        _ = await bench.store(Self.lines(100), as: "summer")
        try await wait(for: "the first lines are submitted") { bench.intake.submissions.count == 4 }
        #expect(await bench.batches.cancel(try #require(RequestID("summer")), of: "test") == .cancelled)
        #expect(await bench.state(of: "summer") == "cancelled")
        let results = try await bench.results(of: "summer")
        #expect(results.dropLast().allSatisfy { $0["outcome"] == "cancelled" })
        #expect(results.last?["summary"]?["complete"] == false)
        #expect(bench.intake.submissions.count <= 8)
        #expect(await bench.batches.cancel(try #require(RequestID("summer")), of: "test") == .alreadyEmitted)
        await bench.kill()
    }

    @Test func `after a kill the lines without a result are submitted again, under the same ids`() async throws {
        let first = try await BatchBench(FakeIntake(holds: true), units: 8)
        _ = await first.store(["{}", "{}", #"{"id":"c"}"#, "{}", "{}"], as: "summer")
        try await wait(for: "the first lines are submitted") { first.intake.submissions.count == 4 }
        let ids = Set(first.intake.submissions.map { FakeIntake.key(of: $0).id })
        await first.kill()
        let second = try await BatchBench(in: first.directory)
        try await wait(for: "the end of the batch") { await second.state(of: "summer") == "ended" }
        let again = Set(second.intake.submissions.map { FakeIntake.key(of: $0).id })
        #expect(again.count == 5 && again.isSuperset(of: ids))
        #expect(second.intake.submissions.allSatisfy { $0.trace == BatchBench.call.trace && $0.trace.parent != nil })
        let results = try await second.results(of: "summer")
        #expect(results.dropLast().compactMap { $0["line"]?.integer }.sorted() == [1, 2, 3, 4, 5])
        await second.kill()
    }

    @Test(arguments: [0, 1, 7, 30])
    func `a torn last result is removed, and its line has one result`(_ cut: Int) async throws {
        let first = try await BatchBench()
        _ = await first.store(Self.lines(3), as: "summer")
        try await wait(for: "the end of the batch") { await first.state(of: "summer") == "ended" }
        await first.kill()
        // The record of an open batch, with results of which the last bytes are missing.
        let path = try #require(try first.directory.files().first { $0.hasSuffix("results.ndjson") })
        let directory = first.directory.path + "/" + path.dropLast("/results.ndjson".count)
        let results = try Data(contentsOf: URL(fileURLWithPath: directory + "/results.ndjson"))
        try results.dropLast(cut).write(to: URL(fileURLWithPath: directory + "/results.ndjson"))
        let record = try String(contentsOfFile: directory + "/batch.json", encoding: .utf8)
        try record.replacing(/"endedAt":[0-9.e+]+/, with: "\"endedAt\":null")
            .write(toFile: directory + "/batch.json", atomically: true, encoding: .utf8)
        let second = try await BatchBench(in: first.directory)
        try await wait(for: "the end of the batch") { await second.state(of: "summer") == "ended" }
        let again = try await second.results(of: "summer")
        #expect(again.dropLast().compactMap { $0["line"]?.integer }.sorted() == [1, 2, 3])
        #expect(second.intake.submissions.count == (cut == 0 ? 0 : 1))
        await second.kill()
    }

    @Test func `after a restart the first response has all earlier results`() async throws {
        let first = try await BatchBench(
            FakeIntake { FakeIntake.key(of: $0).id.description == "last" ? .closing : nil })
        _ = await first.store(Self.lines(500) + [#"{"id":"last"}"#], as: "summer")
        try await wait(for: "the other results") { try await first.results(of: "summer").count == 500 }
        await first.kill()
        let second = try await BatchBench(FakeIntake(holds: true), in: first.directory)
        #expect(try await second.results(of: "summer").count == 500)
        second.intake.emitAll()
        await second.kill()
    }

    @Test func `a plan of the first lines has no error at its end`() async throws {
        let bench = try await BatchBench()
        _ = await bench.store(Self.lines(5_000), as: "summer")
        try await wait(for: "the end of the batch") { await bench.state(of: "summer") == "ended" }
        let state = await bench.batches.state(of: try #require(RequestID("summer")), of: "test")
        #expect(state?["plan"]?["errors"] == 0)
        let lines = state?["plan"]?["lines"]?.integer ?? 0
        #expect((1_000..<5_000).contains(lines))
        await bench.kill()
    }

    @Test func `an ended batch is not processed again, and has its counts`() async throws {
        let first = try await BatchBench()
        _ = await first.store(Self.lines(3) + ["nonsense"], as: "summer")
        try await wait(for: "the end of the batch") { await first.state(of: "summer") == "ended" }
        await first.kill()
        let second = try await BatchBench(in: first.directory)
        // The state of an ended batch has its plan, made from the first lines.
        #expect(await second.batches.state(of: try #require(RequestID("summer")), of: "test")?["plan"]?["lines"] == 4)
        let state = await second.batches.state(of: try #require(RequestID("summer")), of: "test")
        #expect(state?["state"] == "ended" && state?["counts"]?["lines"] == 4 && state?["counts"]?["errors"] == 1)
        #expect(try await second.results(of: "summer").count == 5)
        #expect(second.intake.submissions.isEmpty)
        await second.kill()
    }

    @Test func `the results of a batch are removed after their time`() async throws {
        let clock = ManualClock()
        let bench = try await BatchBench(clock: clock)
        _ = await bench.store(Self.lines(3), as: "summer")
        try await wait(for: "the end of the batch") { await bench.state(of: "summer") == "ended" }
        for hours in [23, 2] {
            #expect(await bench.state(of: "summer") == "ended")
            clock.advance(by: .seconds(hours * 3_600))
        }
        // A removal that has begun before the last change of the clock waits for the next minute.
        try await wait(for: "the removal of the batch") {
            clock.advance(by: .seconds(60))
            return await bench.state(of: "summer") == nil
        }
        // The list of the files fails while a directory in it is removed.
        try await wait(for: "the removal of its files") { (try? bench.directory.files())?.isEmpty ?? false }
        await bench.kill()
    }

    @Test func `a body that is too large, truncated or beyond the quota leaves nothing`() async throws {
        let bench = try await BatchBench { settings in settings.quota = 1_000 }
        let large = await bench.store([String(repeating: "x", count: 2 << 20)], as: "a")
        #expect(large == .tooLarge(most: 1 << 20))
        let full = await bench.store([String(repeating: "x", count: 2_000)], as: "b")
        guard case .full = full else {
            Issue.record("\(full)")
            return
        }
        let truncated = await bench.batches.store(
            BatchBench.call, as: nil, Pieces([Array("{}\n".utf8)], isTruncated: true))
        #expect(truncated == .truncated)
        #expect(try bench.directory.files().isEmpty)
        #expect(await bench.store(["{}"], as: "c") == .accepted(try #require(RequestID("c"))))
        await bench.kill()
    }

    @Test func `a batch whose directory cannot get its name leaves nothing`() async throws {
        let bench = try await BatchBench()
        let directory = BatchDirectory(
            path: bench.directory.path + "/batches", loop: bench.loop, clock: SystemClock(), freeSpace: { _ in false })
        let path = directory.path(of: try #require(RequestID("summer")), of: "test")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try Data().write(to: URL(fileURLWithPath: path + "/other"))
        #expect(await bench.store(["{}"], as: "summer") == .failed)
        #expect(try bench.directory.files().count == 1)
        await bench.kill()
    }

    @Test func `one caller has a limited number of open batches`() async throws {
        let bench = try await BatchBench(FakeIntake(holds: true)) { $0.maxOpen = 2 }
        for id in ["a", "b"] { #expect(await bench.store(["{}"], as: id) == .accepted(try #require(RequestID(id)))) }
        guard case .full = await bench.store(["{}"], as: "c") else {
            Issue.record("a third batch was stored")
            return
        }
        bench.intake.emitAll()
        await bench.kill()
    }
}
