import Base
import NotificationModel
import TestSupport
import Testing

@testable import Features

/// Tests of batches whose callers wait for the results.
@Suite(.timeLimit(.minutes(1))) struct BatchCallTests {
    @Test func `each line has one result, and the summary is the last line`() async throws {
        let bench = try await BatchBench()
        let results = await bench.results(of: [#"{"id":"a"}"#, "", #"{"x":1}"#, "nonsense"])
        #expect(Set(results.compactMap { $0["line"]?.integer }) == [1, 3, 4])
        #expect(results.filter { $0["error"] != nil }.map { $0["line"] } == [4])
        let summary = try #require(results.last?["summary"])
        #expect(summary["lines"] == 3 && summary["errors"] == 1 && summary["outcomes"]?["rich"] == 2)
        #expect(summary["complete"] == true)
        await bench.kill()
    }

    @Test func `a client that reads nothing does not stop the lines`() async throws {
        let bench = try await BatchBench(units: 8)
        let reads = AsyncEvent()
        let written = Record<[UInt8]>()
        let lines = (0..<2_000).map { #"{"id":"l-\#($0)"}"# }
        async let call: Void = bench.batches.process(BatchBench.call, BatchBench.body(lines)) { piece in
            await reads.wait()
            written.append(piece)
        }
        try await wait(for: "all lines are submitted") { bench.intake.submissions.count == 2_000 }
        #expect(written.elements.isEmpty)
        reads.signal()
        await call
        let numbers = BatchBench.values(written).compactMap { $0["line"]?.integer }
        #expect(numbers.sorted() == Array(1...2_000))
        await bench.kill()
    }

    @Test func `a call without space for results waits for its client`() async throws {
        let bench = try await BatchBench { $0.maxScratch = 64 << 10 }
        let reads = AsyncEvent()
        let written = Record<[UInt8]>()
        let lines = (0..<1_000).map { #"{"id":"l-\#($0)"}"# }
        let waits = Record<Bool>()
        var batch = BatchBench.call
        batch.waitsForReader = { waits.append($0) }
        async let call: Void = bench.batches.process(batch, BatchBench.body(lines)) { piece in
            await reads.wait()
            written.append(piece)
        }
        // A quarter of 64 KiB has room for three lines of 4 KiB, and for their results afterwards.
        try await wait(for: "the first lines are submitted") { bench.intake.submissions.count >= 3 }
        for _ in 0..<1_000 { await Task.yield() }
        #expect(bench.intake.submissions.count < 1_000)
        reads.signal()
        await call
        #expect(BatchBench.values(written).compactMap { $0["line"]?.integer }.sorted() == Array(1...1_000))
        #expect(bench.batches.scratchBytes == 0)
        #expect(waits.elements.first == true && waits.elements.last == false)
        await bench.kill()
    }

    @Test func `results that a client has read are removed from the file`() async throws {
        let bench = try await BatchBench { $0.maxScratch = 8 << 20 }
        let reads = AsyncEvent()
        let written = Record<[UInt8]>()
        let lines = (0..<12_000).map { #"{"id":"l-\#($0)"}"# }
        async let call: Void = bench.batches.process(BatchBench.call, BatchBench.body(lines)) { piece in
            await reads.wait()
            written.append(piece)
        }
        try await wait(for: "all lines are submitted") { bench.intake.submissions.count == 12_000 }
        #expect(bench.batches.scratchBytes > 400_000)
        reads.signal()
        await call
        #expect(BatchBench.values(written).compactMap { $0["line"]?.integer }.sorted() == Array(1...12_000))
        #expect(bench.batches.scratchBytes == 0)
        await bench.kill()
    }

    @Test func `lines beyond the units of their caller are not read`() async throws {
        let bench = try await BatchBench(FakeIntake(holds: true), units: 8)
        async let results = bench.results(of: (0..<100).map { #"{"id":"l-\#($0)"}"# })
        try await wait(for: "the first lines are submitted") { bench.intake.submissions.count == 4 }
        for _ in 0..<1_000 { await Task.yield() }
        #expect(bench.intake.submissions.count == 4)
        bench.intake.emitAll()
        #expect(await results.count == 101)
        await bench.kill()
    }

    @Test func `a cancelled call leaves its requests, and writes no summary`() async throws {
        let bench = try await BatchBench(FakeIntake(holds: true))
        let written = Record<[UInt8]>()
        let call = Task {
            await bench.batches.process(BatchBench.call, BatchBench.body([#"{"id":"a"}"#, #"{"id":"b"}"#])) {
                written.append($0)
            }
        }
        try await wait(for: "the lines are submitted") { bench.intake.submissions.count == 2 }
        call.cancel()
        await call.value
        #expect(bench.intake.left == 2)
        #expect(written.elements.isEmpty)
        #expect(bench.intake.submissions.allSatisfy { $0.channel == .call })
        await bench.kill()
    }

    @Test func `after the stop no line is read, and the summary is not complete`() async throws {
        let bench = try await BatchBench()
        let gate = AsyncEvent()
        var call = BatchBench.call
        call.stop = AsyncEvent()
        let written = Record<[UInt8]>()
        let pieces = Pieces([Array("{\"id\":\"a\"}\n".utf8), Array("{\"id\":\"b\"}\n".utf8)], gate: gate)
        async let process: Void = bench.batches.process(call, pieces) { written.append($0) }
        try await wait(for: "the first line is submitted") { bench.intake.submissions.count == 1 }
        call.stop.signal()
        gate.signal()
        await process
        let results = BatchBench.values(written)
        #expect(results.count == 2)
        #expect(results.last?["summary"]?["complete"] == false)
        await bench.kill()
    }

    @Test func `a full daemon delays a line, and the line is refused after its patience`() async throws {
        let refusals = Guarded(2)
        let clock = ManualClock()
        let intake = FakeIntake { submission in
            if FakeIntake.key(of: submission).id.description == "never" { return .full(retryAfter: .seconds(1)) }
            return refusals.withLock { left in
                left -= 1
                return left >= 0 ? .full(retryAfter: .seconds(1)) : nil
            }
        }
        let bench = try await BatchBench(intake, clock: clock)
        for (id, tries) in [("later", 2), ("never", 30)] {
            async let results = bench.results(of: [#"{"id":"\#(id)"}"#])
            for _ in 0..<tries {
                // One of the sleepers removes old batches.
                await clock.waitForSleepers(2)
                clock.advance(by: .seconds(1))
            }
            let line = await results.first
            #expect(line?["outcome"] == (id == "later" ? "rich" : nil))
            #expect((line?["error"] != nil) == (id == "never"))
        }
        await bench.kill()
    }

    @Test func `the lines of a campaign share one stored template`() async throws {
        let bench = try await BatchBench()
        let template = #"{"template":{"payload":{"title":"T"}}}"#
        _ = await bench.results(of: [template, #"{"id":"a"}"#, #"{"id":"b","payload":{"title":"U"}}"#])
        #expect(bench.templates.stored.elements == [Array(template.utf8)])
        let submissions = bench.intake.submissions
        #expect(submissions.allSatisfy { $0.template?.name == "template" })
        #expect(Set(submissions.map { String(decoding: $0.body, as: UTF8.self) }).contains(#"{"id":"a"}"#))
        await bench.kill()
    }
}
