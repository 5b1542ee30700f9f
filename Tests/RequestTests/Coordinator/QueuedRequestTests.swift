import Base
import FoundationEssentials
import NotificationModel
import TestSupport
import Testing

@testable import RequestCoordinator

/// Tests of requests with media that wait for a permit, because the maximum number of requests is being processed.
@Suite struct QueuedRequestTests {
    private let gate = Gate()
    private let bench: CoordinatorBench

    init() { bench = CoordinatorBench(gate: gate, inFlight: 1) }

    /// Submits the other requests after "a", which holds the only permit until the gate opens.
    private func submit(_ others: [(id: String, object: JSONObject)]) async throws {
        _ = await bench.coordinator.submit(bench.submission("a"))
        try await wait(for: "the first request") { bench.decoder.processed == ["a"] }
        for other in others { _ = await bench.coordinator.submit(bench.submission(other.id, .detached, other.object)) }
    }

    @Test func `a queued request is processed when a permit is released`() async throws {
        try await bench.run {
            try await submit([("b", [:]), ("c", [:])])
            #expect(bench.decoder.processed == ["a"])
            gate.open()
            for id in ["a", "b", "c"] { _ = await bench.coordinator.content(of: try bench.key(id)) }
        }
        #expect(bench.decoder.processed == ["a", "b*", "c*"])
        #expect(bench.journal.emissions.map(\.outcome) == [.rich, .rich, .rich])
    }

    @Test func `the result of a queued request is composed at the end of its stages, without a permit`() async throws {
        try await bench.run {
            try await submit([("b", ["ungated": true])])
            await bench.clock.waitForSleepers()
            bench.clock.advance(by: .milliseconds(29_700))
            #expect(bench.decoder.processed == ["a"], "its stages end 250 ms before its deadline")
            bench.clock.advance(by: .milliseconds(50))
            _ = await bench.coordinator.content(of: try bench.key("b"))
            #expect(bench.decoder.processed == ["a", "b*"])
            _ = await bench.coordinator.submit(bench.submission("c"))
            #expect(bench.decoder.processed == ["a", "b*"], "the only permit is not free")
            gate.open()
        }
        #expect(bench.decoder.processed == ["a", "b*", "c*"])
    }

    @Test func `a request that waits for a host releases its permit once`() async throws {
        try await bench.run {
            _ = await bench.coordinator.submit(bench.submission("a", .detached, ["waitsForHost": true]))
            try await wait(for: "the first request") { bench.decoder.processed == ["a"] }
            for id in ["b", "c"] { _ = await bench.coordinator.submit(bench.submission(id)) }
            try await wait(for: "the second request") { bench.decoder.processed == ["a", "b"] }
            gate.open()
            for id in ["a", "b", "c"] { _ = await bench.coordinator.content(of: try bench.key(id)) }
            // If a permit were released more than once, both requests would begin.
            #expect(bench.decoder.processed == ["a", "b", "c*"])
        }
    }

    @Test func `a cancelled request in the queue is emitted at once`() async throws {
        try await bench.run {
            try await submit([("b", [:])])
            let key = try bench.key("b")
            #expect(await bench.coordinator.cancel(key) == .cancelled)
            #expect(await bench.coordinator.content(of: key)?.outcome == .cancelled)
            #expect(bench.journal.emissions.count == 1)
            gate.open()
        }
        #expect(bench.journal.emissions.count == 2)
    }

    @Test func `a request without media from the spool does not wait for a permit`() async throws {
        try await bench.run {
            _ = await bench.coordinator.submit(bench.submission("a"))
            let text = bench.submission("t", .spool(fileName: "t.json"), ["text": true, "ungated": true])
            _ = await bench.coordinator.submit(text)
            let content = await bench.coordinator.content(of: try bench.key("t"))
            #expect(content?.outcome == .rich)
            #expect(!bench.decoder.processed.contains("t*"))
            gate.open()
        }
    }

    @Test func `a queued request is emitted before a closing coordinator ends`() async throws {
        try await bench.run {
            try await submit([("b", [:]), ("c", ["ungated": true])])
            bench.coordinator.close()
            await bench.clock.waitForSleepers(2)
            bench.clock.advance(by: .milliseconds(29_750))
            #expect(await bench.coordinator.content(of: try bench.key("c"))?.outcome == .rich)
            gate.open()
        }
        #expect(Set(bench.journal.emissions.map(\.key.id.description)) == ["a", "b", "c"])
    }
}
