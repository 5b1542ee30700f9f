import Base
import NotificationModel
import TestSupport
import Testing

@testable import RequestCoordinator

/// Tests of the messages of requests that the journal accepts with their results.
@Suite(.timeLimit(.minutes(1))) struct EmittedRecordTests {
    private static let message: JSONObject = ["text": true, "recorded": true]

    @Test func `the caller has its result before the index has the message`() async throws {
        let bench = CoordinatorBench()
        guard case .emitted = await bench.coordinator.submit(bench.submission("a", .call, Self.message)) else {
            Issue.record("not emitted")
            return
        }
        #expect(bench.decoder.recorded.isEmpty)
        try await bench.run {}
        #expect(bench.decoder.recorded == ["a"])
        #expect(bench.coordinator.load.emitted[.rich] == 1)
    }

    @Test func `a text that the index does not have needs no further work`() async throws {
        let bench = CoordinatorBench(records: 0)
        _ = await bench.coordinator.submit(bench.submission("a", .call, ["text": true]))
        try await bench.run {}
        #expect(bench.decoder.recorded.isEmpty)
    }

    @Test func `a caller waits for the index if too many messages wait for it`() async throws {
        let bench = CoordinatorBench(records: 2)
        for id in ["a", "b", "c"] {
            _ = await bench.coordinator.submit(bench.submission(id, .call, Self.message))
        }
        #expect(bench.decoder.recorded == ["c"])
        try await bench.run {}
        #expect(bench.decoder.recorded.sorted() == ["a", "b", "c"])
    }

    @Test func `a recorded message makes room for the message of the next request`() async throws {
        let bench = CoordinatorBench(records: 1)
        try await bench.run {
            for id in ["a", "b", "c"] {
                _ = await bench.coordinator.submit(bench.submission(id, .call, Self.message))
                try await wait(for: "the record") { bench.decoder.recorded.contains(id) }
            }
        }
        #expect(bench.decoder.recorded == ["a", "b", "c"])
    }

    @Test func `the message of a refused request is not recorded`() async throws {
        let bench = CoordinatorBench(journal: FakeJournal(answer: .failed("the disk is full")))
        _ = await bench.coordinator.submit(bench.submission("a", .call, Self.message))
        try await bench.run {}
        #expect(bench.decoder.recorded.isEmpty)
    }

    @Test func `a request from the spool is recorded once`() async throws {
        let bench = CoordinatorBench()
        _ = await bench.coordinator.submit(bench.submission("a", .spool(fileName: "a.json"), Self.message))
        try await bench.run {}
        #expect(bench.decoder.recorded == ["a"])
    }
}
