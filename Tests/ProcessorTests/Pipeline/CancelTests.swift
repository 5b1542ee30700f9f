import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

/// Tests of requests that their callers cancel.
@Suite struct CancelTests {
    @Test func `a cancelled request emits the fallback text without attachments at once`() throws {
        let bench = PipelineBench(["https://a.example/2": .stalls])
        let run = bench.start(try bench.request(SamplePayloads.pair))
        bench.executor.turn()
        #expect(bench.emissions.isEmpty)
        run.cancel()
        bench.executor.turn()
        let notification = try #require(bench.emissions.first)
        #expect(notification.outcome == .cancelled)
        #expect(notification.reason == .cancelled)
        #expect(notification.text == NotificationText(title: "None", subtitle: "Sub", body: "Sorry"))
        #expect(notification.attachments.isEmpty)
        #expect(notification.reasons == [.cancelled, .cancelled])
        #expect(notification.timing.elapsed == .zero)
        #expect(bench.store.records.map(\.attachments) == [[]])
        #expect(bench.isFinished)
        #expect(bench.emissions.count == 1)
    }

    @Test(arguments: ExpiryPolicy.allCases)
    func `a cancelled request ignores its expiry policy`(policy: ExpiryPolicy) throws {
        let bench = PipelineBench(["https://a.example/1": .stalls])
        let run = bench.start(try bench.request(SamplePayloads.single) { $0.onExpiry = policy })
        bench.executor.turn()
        run.cancel()
        bench.executor.turn()
        #expect(bench.emissions.map(\.outcome) == [.cancelled])
        #expect(bench.emissions.first?.text.body == "Sorry")
    }

    @Test func `a media item that failed before the cancellation keeps its reason`() throws {
        let bench = PipelineBench([
            "https://a.example/1": .failure(MediaFailure(.httpStatus, "404")), "https://a.example/2": .stalls,
        ])
        let run = bench.start(try bench.request(SamplePayloads.pair))
        bench.executor.turn()
        run.cancel()
        bench.executor.turn()
        #expect(bench.emissions.map(\.outcome) == [.cancelled])
        #expect(bench.emissions.first?.reasons == [.httpStatus, .cancelled])
    }

    @Test func `a request can be cancelled while its text waits for a string table`() throws {
        let bench = PipelineBench(tables: FakeTables(neverAnswers: true))
        let run = bench.start(try bench.request(#"{"aps":{"alert":{"title":"T","loc-key":"BODY"}}}"#))
        bench.executor.turn()
        #expect(bench.emissions.isEmpty)
        run.cancel()
        bench.executor.turn()
        #expect(bench.emissions.map(\.outcome) == [.cancelled])
        #expect(bench.isFinished)
    }

    @Test func `a cancelled request does not wait for a hanging transfer`() throws {
        let gate = Gate()
        let bench = PipelineBench(["https://a.example/1": .hangs(gate)])
        let run = bench.start(try bench.request(SamplePayloads.single))
        bench.executor.turn()
        run.cancel()
        bench.executor.turn()
        #expect(bench.emissions.map(\.outcome) == [.cancelled])
        #expect(!bench.isFinished)
        gate.open()
        bench.executor.turn()
        #expect(bench.isFinished)
        #expect(bench.emissions.count == 1)
    }

    @Test(arguments: UInt64(0)..<50)
    func `a request that is cancelled before its start fetches no media`(seed: UInt64) throws {
        let bench = PipelineBench(["https://a.example/1": .stalls, "https://a.example/2": .stalls])
        let run = bench.start(try bench.request(SamplePayloads.pair))
        run.cancel()
        var generator = SeededGenerator(seed: seed)
        while bench.executor.turnOne(using: &generator) {}
        #expect(bench.emissions.map(\.outcome) == [.cancelled])
        #expect(bench.emissions.first?.reasons == [.cancelled, .cancelled])
        #expect(bench.fetcher.calls.isEmpty)
        #expect(bench.isFinished)
    }

    @Test func `a request has exactly one result if it is cancelled at any step, and can stay rich`() throws {
        var outcomes: [Outcome] = []
        for step in 0..<60 {
            let bench = PipelineBench()
            let run = bench.start(try bench.request(SamplePayloads.pair))
            bench.executor.turn(atMost: step)
            run.cancel()
            bench.executor.turn()
            #expect(bench.emissions.count == 1)
            #expect(bench.isFinished)
            let outcome = try #require(bench.emissions.first).outcome
            #expect(outcome == .cancelled || outcome == .rich, "\(step)")
            outcomes.append(outcome)
        }
        #expect(outcomes.first == .cancelled)
        #expect(outcomes.last == .rich)
        let firstRich = try #require(outcomes.firstIndex(of: .rich))
        #expect(outcomes[firstRich...].allSatisfy { $0 == .rich }, "\(outcomes)")
    }
}
