import Base
import FoundationEssentials
import NotificationModel
import TestSupport
import Testing

@testable import RequestCoordinator

/// Tests of recipients whose settings change while their requests are accepted, or while they wait.
@Suite(.timeLimit(.minutes(1))) struct RecipientRaceTests {
    private static let toAnna: JSONObject = ["recipient": "anna"]

    private func optOut(_ bench: CoordinatorBench, to revision: UInt64 = 5) {
        bench.decoder.store("anna", permits: false, version: Int(revision))
        bench.journal.change("anna", to: revision)
    }

    @Test func `an opt-out between the look-up and the commit rejects the request, and no media item begins`()
        async throws
    {
        let acceptance = Gate()
        let bench = CoordinatorBench(journal: FakeJournal(acceptance: acceptance))
        try await bench.run {
            async let admission = bench.coordinator.submit(bench.submission("a", .detached, Self.toAnna))
            try await wait(for: "the plan") { bench.decoder.decodings == 1 }
            optOut(bench)
            acceptance.open()
            guard case .emitted(let content) = await admission else {
                Issue.record("not decided at its acceptance")
                return
            }
            #expect(content.outcome == .rejected)
        }
        #expect(bench.decoder.processed.isEmpty)
        #expect(bench.journal.emissions.map(\.outcome) == [.rejected])
    }

    @Test func `an opt-out reaches a request that waits for a permit`() async throws {
        let gate = Gate()
        let bench = CoordinatorBench(gate: gate, inFlight: 1)
        try await bench.run {
            _ = await bench.coordinator.submit(bench.submission("a"))
            try await wait(for: "the first request") { bench.decoder.processed == ["a"] }
            _ = await bench.coordinator.submit(bench.submission("b", .detached, Self.toAnna))
            _ = await bench.coordinator.submit(bench.submission("c"))
            optOut(bench)
            gate.open()
            let content = await bench.coordinator.content(of: try bench.key("b"))
            #expect(content?.outcome == .rejected)
            _ = await bench.coordinator.content(of: try bench.key("c"))
        }
        #expect(bench.decoder.processed == ["a", "c*"], "the rejected request returns its permit")
    }

    @Test func `an opt-out reaches a request that a restart has recovered`() async throws {
        let journal = FakeJournal(recovered: [try entry("a")])
        let bench = CoordinatorBench(journal: journal)
        try await bench.coordinator.recover()
        optOut(bench)
        try await bench.run {
            let content = await bench.coordinator.content(of: try bench.key("a"))
            #expect(content?.outcome == .rejected)
        }
        #expect(bench.decoder.processed.isEmpty)
    }

    @Test func `a request with new permissions waits for a permit before its media begin`() async throws {
        let gate = Gate()
        let bench = CoordinatorBench(journal: FakeJournal(recovered: [try entry("b")]), gate: gate, inFlight: 1)
        bench.decoder.store("anna", permits: false, version: 2)
        try await bench.coordinator.recover()
        bench.decoder.store("anna", permits: true, version: 9)
        bench.journal.change("anna", to: 9)
        try await bench.run {
            try await wait(for: "the recovered request") { !bench.decoder.processed.isEmpty }
            _ = await bench.coordinator.submit(bench.submission("c"))
            #expect(bench.decoder.processed == ["b"], "the recovered request has the only permit")
            gate.open()
            #expect(await bench.coordinator.content(of: try bench.key("b"))?.outcome == .rich)
            #expect(await bench.coordinator.content(of: try bench.key("c"))?.outcome == .rich)
        }
    }

    @Test func `a cancelled request is not processed although it is planned again`() async throws {
        let gate = Gate()
        let bench = CoordinatorBench(gate: gate, inFlight: 1)
        try await bench.run {
            _ = await bench.coordinator.submit(bench.submission("a"))
            try await wait(for: "the first request") { bench.decoder.processed == ["a"] }
            _ = await bench.coordinator.submit(bench.submission("b", .detached, Self.toAnna))
            bench.decoder.store("anna", permits: true, version: 5)
            bench.journal.change("anna", to: 5)
            #expect(await bench.coordinator.cancel(try bench.key("b")) == .cancelled)
            gate.open()
        }
        #expect(bench.journal.emissions.contains { $0.outcome == .cancelled })
    }

    @Test func `a request whose recipient changes without an end is refused, and the caller may try again`()
        async throws
    {
        let bench = CoordinatorBench(journal: FakeJournal(answer: .stale))
        try await bench.run {
            guard case .full = await bench.coordinator.submit(bench.submission("a", .detached, Self.toAnna)) else {
                Issue.record("accepted")
                return
            }
        }
        #expect(bench.journal.emissions.isEmpty)
    }

    @Test func `events have a digest in place of the name of a recipient`() async throws {
        let bench = CoordinatorBench()
        try await bench.run {
            var events = bench.coordinator.events(after: nil).makeAsyncIterator()
            _ = await bench.coordinator.submit(bench.submission("a", .detached, Self.toAnna))
            let event = await events.next()
            #expect(event?.recipient == "858e1728ba1411078dc5ab082716d03c")
        }
    }

    private func entry(_ id: String) throws -> JournalEntry {
        let clock = ManualClock()
        return JournalEntry(
            key: RequestKey(group: .default, id: try #require(RequestID(id))), channel: .detached, fingerprint: [1],
            body: Array(#"{"recipient":"anna"}"#.utf8), receivedAt: clock.date,
            deadline: clock.date.addingTimeInterval(30))
    }
}
