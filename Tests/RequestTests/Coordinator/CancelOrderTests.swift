import Base
import NotificationModel
import TestSupport
import Testing

@testable import RequestCoordinator

/// Tests of the order of a cancellation, the decision about the result, its durability and the answers.
@Suite(.timeLimit(.minutes(1))) struct CancelOrderTests {
    private let key: RequestKey

    init() throws { key = RequestKey(group: .default, id: try #require(RequestID("a"))) }

    // MARK: Events and answers of the table

    enum Event: Sendable {
        case accepted, started, cancel, released, published
        case composed(Outcome)
    }

    private struct Answers {
        /// The answers to the cancellations.
        var waits: [RequestTable.Wait] = []
        /// Whether the request is cancelled after the last event.
        var isCancelled = false
        var state: RequestState?
        /// The callers that get the result when it is published after the last event.
        var callers: Set<UInt64> = []
    }

    /// Applies events to a table of one request. A cancelling caller has the number of its event.
    private func answers(to events: [Event]) -> Answers {
        var table = RequestTable(capacity: 1)
        _ = table.enter(key, fingerprint: [1], providerID: nil, channel: .detached, as: 0)
        var answers = Answers()
        for (number, event) in events.enumerated() {
            switch event {
            case .accepted: _ = table.accepted(key)
            case .started: _ = table.started(key)
            case .cancel: answers.waits.append(table.cancel(key, as: UInt64(number)))
            case .composed(let outcome): table.composed(content(outcome))
            case .released: _ = table.release(key)
            case .published: _ = table.published(key)
            }
        }
        answers.isCancelled = table.isCancelled(key)
        answers.state = table.state(of: key)
        answers.callers = table.published(key)
        return answers
    }

    private func content(_ outcome: Outcome) -> EmittedContent {
        EmittedContent(key: key, outcome: outcome, reason: nil, json: [])
    }

    @Test(arguments: [[Event.accepted], [.accepted, .started]])
    func `a cancellation before the result ends the processing and waits for the result`(before: [Event]) {
        let answers = answers(to: before + [.cancel])
        #expect(answers.waits == [.waits])
        #expect(answers.isCancelled)
    }

    @Test(arguments: [Outcome.rich, .cancelled])
    func `a cancellation between the decision and the result is answered with the durable result`(outcome: Outcome) {
        let answers = answers(to: [.accepted, .started, .cancel, .composed(outcome)])
        #expect(answers.waits == [.waits])
        #expect(answers.state == .running, "the result is not durable")
        #expect(answers.callers == [2])
    }

    @Test func `a cancellation after the result ends no processing, and is answered when the result is durable`() {
        let answers = answers(to: [.accepted, .composed(.rich), .cancel])
        #expect(answers.waits == [.waits])
        #expect(!answers.isCancelled)
        #expect(answers.callers == [2])
    }

    @Test func `a cancellation after the deadline is answered with the result that is not durable yet`() {
        #expect(answers(to: [.accepted, .composed(.rich), .released, .cancel]).waits == [.has(content(.rich))])
    }

    @Test(arguments: [[Event.cancel], [.accepted, .composed(.rich), .published, .cancel]])
    func `the table contains no request before its acknowledgement or after its durable result`(
        events: [Event]
    ) {
        #expect(answers(to: events).waits == [.unknown])
    }

    @Test func `each of two cancellations is answered with the same result`() {
        let answers = answers(to: [.accepted, .cancel, .cancel, .composed(.cancelled)])
        #expect(answers.waits == [.waits, .waits])
        #expect(answers.callers == [1, 2])
    }

    // MARK: Order in the coordinator

    @Test func `a cancellation after the decision waits for the emission, and reports an already emitted request`()
        async throws
    {
        let emission = Gate()
        let bench = CoordinatorBench(emission: emission)
        try await bench.run {
            defer { emission.open() }
            _ = await bench.coordinator.submit(bench.submission("a", .detached, ["providerId": "p"]))
            try await wait(for: "the decision") { bench.decoder.decided == 1 }
            async let answer = bench.coordinator.cancel(key)
            async let ofProvider = bench.coordinator.cancel(providerID: "p", in: nil)
            // Both cancellations wait, because their answer depends on the result.
            try await wait(for: "the cancels") { bench.coordinator.state.withLock { $0.waiting.count } == 2 }
            emission.open()
            #expect(await answer == .alreadyEmitted)
            #expect(await ofProvider.isEmpty)
            #expect(await bench.coordinator.content(of: key)?.outcome == .rich)
        }
    }

    @Test func `a cancellation is answered after the cancelled result is durable`() async throws {
        let (publication, composition) = (Gate(), Gate())
        let journal = FakeJournal(publication: publication, composition: composition)
        let bench = CoordinatorBench(journal: journal, gate: Gate())
        try await bench.run {
            _ = await bench.coordinator.submit(bench.submission("a"))
            let cancel = Task { (await bench.coordinator.cancel(key), journal.emissions.map(\.outcome)) }
            await composition.wait()
            publication.open()
            let (answer, emissions) = await cancel.value
            #expect(answer == .cancelled)
            #expect(emissions == [.cancelled])
            #expect(await bench.coordinator.cancel(key) == .cancelled, "a repeated call has the same answer")
        }
    }

    @Test func `a cancellation does not wait for the disk beyond the deadline`() async throws {
        let (publication, composition) = (Gate(), Gate())
        let bench = CoordinatorBench(
            journal: FakeJournal(publication: publication, composition: composition), gate: Gate())
        try await bench.run {
            _ = await bench.coordinator.submit(bench.submission("a"))
            async let answer = bench.coordinator.cancel(key)
            await composition.wait()
            await bench.clock.waitForSleepers()
            bench.clock.advance(by: .seconds(30))
            #expect(await answer == .cancelled)
            publication.open()
        }
    }

    @Test func `a published result that the journal has not reported is the state of its request`() async throws {
        let (report, composition) = (Gate(), Gate())
        let bench = CoordinatorBench(journal: FakeJournal(report: report, composition: composition))
        try await bench.run {
            _ = await bench.coordinator.submit(bench.submission("a", .spool(fileName: "a.json")))
            defer { report.open() }
            try await wait(for: "the result") { !bench.journal.emissions.isEmpty }
            guard case .emitted(let content)? = await bench.coordinator.state(of: key) else {
                Issue.record("the request is running although its result is published")
                return
            }
            #expect(content.outcome == .rich)
        }
    }

    @Test func `a result that is published during a lookup is the state of its request`() async throws {
        let (publication, composition, lookup) = (Gate(), Gate(), Gate())
        let bench = CoordinatorBench(
            journal: FakeJournal(publication: publication, composition: composition, lookup: lookup))
        try await bench.run {
            defer { lookup.open() }
            _ = await bench.coordinator.submit(bench.submission("a", .spool(fileName: "a.json")))
            await composition.wait()
            async let state = bench.coordinator.state(of: key)
            await bench.journal.lookedUp.wait()
            publication.open()
            try await wait(for: "the end of the request") { bench.coordinator.load.emitted[.rich] == 1 }
            lookup.open()
            guard case .emitted(let content)? = await state else {
                Issue.record("the request is unknown although its result is published")
                return
            }
            #expect(content.outcome == .rich)
        }
    }

    @Test func `a cancellation reports that the daemon ends if the next start emits the request`() async throws {
        let acceptance = Gate()
        let bench = CoordinatorBench(journal: FakeJournal(acceptance: acceptance))
        let submission = Task { await bench.coordinator.submit(bench.submission("a")) }
        try await wait(for: "the request") { bench.coordinator.load.queued == 1 }
        try await bench.run {}
        acceptance.open()
        guard case .accepted = await submission.value else {
            Issue.record("not accepted")
            return
        }
        #expect(await bench.coordinator.cancel(key) == .closing)
    }
}
