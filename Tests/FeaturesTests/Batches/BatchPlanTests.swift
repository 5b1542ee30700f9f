import Base
import NotificationModel
import TestSupport
import Testing

@testable import Features

/// Tests of dry runs.
@Suite(.timeLimit(.minutes(1))) struct BatchPlanTests {
    private static let lines = [
        #"{"media":["c1","o1"]}"#, #"{"media":["o1","o2!"]}"#, "nonsense", #"{"media":[]}"#,
    ]

    private static func plan(_ run: DryRun, _ bench: BatchBench) async -> [JSONValue] {
        let written = Record<[UInt8]>()
        await bench.batches.plan(BatchBench.call, BatchBench.body(lines), as: run) { written.append($0) }
        return BatchBench.values(written)
    }

    @Test func `a plan counts each media item once, and each line has its findings`() async throws {
        let bench = try await BatchBench()
        let output = await Self.plan(.lint, bench)
        #expect(output.dropLast().map { $0["line"] } == [1, 2, 3, 4])
        #expect(output[0]["findings"] == ["finding"] && output[2]["error"] != nil)
        let plan = try #require(output.last?["plan"])
        #expect(plan["lines"] == 4 && plan["errors"] == 1 && plan["findings"] == 3)
        let media = try #require(plan["media"])
        #expect(media["distinct"] == 3 && media["inCache"] == 1 && media["atOrigin"] == 2)
        #expect(plan["renditions"] == ["ios": 3])
        #expect(plan["fetched"] == .null)
        #expect(bench.intake.submissions.isEmpty && bench.planner.fetched.elements.isEmpty)
        await bench.kill()
    }

    @Test func `a fetching dry run fetches the lines with new media, and counts failures`() async throws {
        let bench = try await BatchBench()
        let plan = try #require(await Self.plan(.fetch, bench).last?["plan"])
        #expect(Set(bench.planner.fetched.elements) == ["c1", "o1", "o2!"])
        #expect(plan["fetched"]?["failures"] == 1)
        #expect(plan["fetched"]?["bytes"] == 300)
        #expect(bench.intake.submissions.isEmpty)
        await bench.kill()
    }

    @Test func `a prediction needs an earlier batch of the daemon`() async throws {
        let bench = try await BatchBench()
        let unknown = try #require(await Self.plan(.lint, bench).last?["plan"]?["predicted"])
        #expect(unknown["seconds"] == .null)
        _ = await bench.results(of: (0..<100).map { #"{"id":"l-\#($0)"}"# })
        let plan = BatchPlanRun(
            planner: bench.planner, limits: BatchLimits(maxBytes: 1 << 20), clock: bench.clock, call: BatchBench.call,
            problem: { _ in .null }, kind: .lint,
            rates: .init(line: .milliseconds(2), lineProcessorTime: .milliseconds(1)))
        let known = await plan.run(BatchBench.body([#"{"media":["c1"]}"#, #"{"media":["c1"]}"#])) { _ in }
        #expect(
            known?["predicted"] == ["seconds": .number(0.004), "processorSeconds": .number(0.002), "originBytes": 0])
        await bench.kill()
    }
}
