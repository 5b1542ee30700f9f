import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

/// Tests of races between completion, deadline and cancel, in the order that a seed chooses.
@Suite struct RaceTests {
    /// The events that the test causes between two steps of the pipeline.
    private enum Push: CaseIterable { case firstEnds, secondEnds, deadline, cancel }

    @Test func `each of a thousand races emits exactly one consistent result`() throws {
        var seen: [Outcome: Int] = [:]
        for seed in 0..<1_000 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            let gates = [Gate(), Gate()]
            let bench = PipelineBench([
                "https://a.example/1": .hangs(gates[0]), "https://a.example/2": .hangs(gates[1]),
            ])
            let request = try bench.request(SamplePayloads.pair)
            let run = bench.start(request)
            for push in Push.allCases.shuffled(using: &generator) {
                for _ in 0..<Int.random(in: 0..<30, using: &generator) { _ = bench.executor.turnOne(using: &generator) }
                switch push {
                case .firstEnds: gates[0].open()
                case .secondEnds: gates[1].open()
                case .deadline: bench.clock.advance(by: .seconds(30))
                case .cancel: if seed.isMultiple(of: 2) { run.cancel() }
                }
            }
            while bench.executor.turnOne(using: &generator) {}
            try #require(bench.isFinished, "seed \(seed)")
            try #require(bench.emissions.count == 1, "seed \(seed)")
            Self.check(bench.emissions[0], bench, "seed \(seed)")
            seen[bench.emissions[0].outcome, default: 0] += 1
        }
        for outcome in [Outcome.rich, .partial, .fallback, .cancelled] {
            #expect(seen[outcome, default: 0] > 20, "the races are one-sided: \(seen)")
        }
    }

    private static func check(_ notification: ProcessedNotification, _ bench: PipelineBench, _ comment: Comment) {
        let shown = notification.reasons.count { $0 == nil }
        #expect(notification.attachments.count == shown, comment)
        #expect(
            notification.attachments.map(\.sourceURL).sorted() == notification.attachments.map(\.sourceURL), comment)
        #expect(bench.store.records.map(\.attachments.count) == [shown], comment)
        switch notification.outcome {
        case .rich:
            #expect(shown == 2, comment)
            #expect(notification.reason == nil, comment)
            #expect(notification.text.body == "Look", comment)
        case .partial:
            #expect(shown == 1, comment)
            #expect(notification.reason == .budgetExceeded, comment)
            #expect(notification.text.body == "Look", comment)
        case .fallback:
            #expect(shown == 0, comment)
            #expect(notification.reason == .budgetExceeded, comment)
            #expect(notification.text.body == "Sorry", comment)
        case .cancelled:
            #expect(shown == 0, comment)
            #expect(notification.reason == .cancelled, comment)
            #expect(notification.text.body == "Sorry", comment)
        default: Issue.record("\(notification.outcome), \(comment)")
        }
    }

    @Test(.timeLimit(.minutes(1))) func `each race on real threads emits exactly one result`() async throws {
        for seed in 0..<300 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            let gate = Gate()
            let bench = PipelineBench(["https://a.example/1": .hangs(gate)])
            let request = try bench.request(SamplePayloads.single)
            let run = Task { try await bench.process(request) }
            await bench.clock.waitForSleepers()
            let pushes: [@Sendable () -> Void] = [
                { gate.open() }, { bench.clock.advance(by: .seconds(30)) },
            ]
            await withTaskGroup { group in
                for push in pushes.shuffled(using: &generator) { group.addTask { push() } }
            }
            let emissions = try await run.value
            try #require(emissions.count == 1)
            #expect(emissions[0].outcome == .rich || emissions[0].outcome == .fallback)
        }
    }
}
