import Base
import FoundationEssentials
import NotificationModel
import TestSupport
import Testing

@testable import RequestCoordinator

/// Tests of requests that wait for nothing. The journal accepts each with its result in one transaction.
@Suite struct ImmediateResultTests {
    private static let text: JSONObject = ["text": true]

    @Test(arguments: [RequestChannel.call, .detached])
    func `a request without media is emitted when the journal accepts it`(_ channel: RequestChannel) async throws {
        // A result that was emitted separately would never be published here.
        let bench = CoordinatorBench(journal: FakeJournal(publication: Gate()))
        let events = bench.coordinator.events(after: nil)
        guard case .emitted(let content) = await bench.coordinator.submit(bench.submission("a", channel, Self.text))
        else {
            Issue.record("not emitted")
            return
        }
        #expect(bench.journal.emissions == [content])
        let state = await bench.coordinator.state(of: content.key)
        #expect(state == .emitted(content))
        let load = bench.coordinator.load
        #expect([load.accepted, load.emitted[.rich], load.queued, load.running] == [1, 1, 0, 0])
        try await bench.run {}
        var seen: [RequestEvent.Kind] = []
        for await event in events { seen.append(event.kind) }
        #expect(seen == [.accepted, .emitted(.rich, nil)])
    }

    @Test func `a request that the workers cannot finish in time is emitted when the journal accepts the request`()
        async throws
    {
        let bench = CoordinatorBench(journal: FakeJournal(publication: Gate()))
        guard
            case .emitted(let content) = await bench.coordinator.submit(
                bench.submission("a", .call, ["overloaded": true]))
        else {
            Issue.record("not emitted")
            return
        }
        #expect(content.outcome == .fallback && content.reason == .overloaded)
        #expect(bench.journal.emissions == [content])
        #expect(bench.coordinator.load.queued == 0)
    }

    @Test func `a request from the spool is accepted before its result is composed`() async throws {
        let bench = CoordinatorBench()
        let submission = bench.submission("a", .spool(fileName: "a.json"), Self.text)
        guard case .accepted = await bench.coordinator.submit(submission) else {
            Issue.record("its result did not go through the outbox")
            return
        }
        #expect(bench.journal.emissions.isEmpty)
        try await bench.run {}
        #expect(bench.journal.emissions.count == 1)
    }

    @Test func `the result of a request that the journal refuses is not emitted`() async throws {
        let bench = CoordinatorBench(journal: FakeJournal(answer: .failed("the disk is full")))
        guard case .failed = await bench.coordinator.submit(bench.submission("a", .call, Self.text)) else {
            Issue.record("accepted")
            return
        }
        #expect(bench.coordinator.load.emitted.isEmpty)
        #expect(bench.coordinator.load.queued == 0)
    }

    @Test func `a caller that joins before the journal answers gets the same result`() async throws {
        let acceptance = Gate()
        let bench = CoordinatorBench(journal: FakeJournal(acceptance: acceptance))
        let submission = bench.submission("a", .detached, Self.text)
        async let first = bench.coordinator.submit(submission)
        try await wait(for: "the first request") { bench.coordinator.load.queued > 0 }
        async let second = bench.coordinator.submit(submission)
        acceptance.open()
        guard case .emitted(let content) = await first, case .joined(let key) = await second else {
            Issue.record("the second call did not join the first")
            return
        }
        let shared = await bench.coordinator.content(of: key)
        #expect(shared == content)
        #expect(bench.journal.emissions == [content])
    }
}
