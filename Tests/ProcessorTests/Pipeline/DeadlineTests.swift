import Base
import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

/// Tests of requests whose deadline passes before their media are ready.
@Suite struct DeadlineTests {
    @Test func `a stalled media item is omitted, and the ready media item is shown with the success text`() throws {
        let bench = PipelineBench(["https://a.example/1": .stalls])
        let request = try bench.request(SamplePayloads.pair)
        _ = bench.start(request)
        bench.executor.turn()
        #expect(bench.emissions.isEmpty)
        bench.turn(to: request.budget.stagesEnd)
        let notification = try #require(bench.emissions.first)
        #expect(notification.outcome == .partial)
        #expect(notification.reason == .budgetExceeded)
        #expect(notification.text == NotificationText(title: "Two", subtitle: "Sub", body: "Look"))
        #expect(notification.attachments.map(\.identifier) == ["two"])
        #expect(notification.reasons == [.budgetExceeded, nil])
        #expect(bench.store.records.map(\.attachments.count) == [1])
        #expect(bench.isFinished)
        #expect(bench.emissions.count == 1)
    }

    @Test func `if the only media item stalls, the result has the fallback text`() throws {
        let bench = PipelineBench(["https://a.example/1": .stalls])
        let request = try bench.request(SamplePayloads.single)
        _ = bench.start(request)
        bench.executor.turn()
        bench.turn(to: request.budget.stagesEnd)
        let notification = try #require(bench.emissions.first)
        #expect(notification.outcome == .fallback)
        #expect(notification.reason == .budgetExceeded)
        #expect(notification.text == NotificationText(title: "None", subtitle: "Sub", body: "Sorry"))
        #expect(notification.attachments.isEmpty)
        #expect(notification.reasons == [.budgetExceeded])
        #expect(bench.store.records.map(\.attachments.count) == [0])
    }

    @Test func `the verdict of a queued request begins with the stage named queue`() async throws {
        let bench = PipelineBench()
        let request = try bench.request(SamplePayloads.single)
        #expect(await bench.waitsForMedia(request))
        try await bench.process(request, wasQueued: true)
        let stages = try #require(bench.emissions.first?.verdicts.first).stages
        #expect(stages.first?.name == .queue)
        #expect(bench.emissions.first?.outcome == .rich)
    }

    @Test func `the verdict names the queue if the time for the stages ended before the permit`() async throws {
        let bench = PipelineBench()
        let request = try bench.request(SamplePayloads.single)
        bench.clock.advance(by: request.budget.received.duration(to: request.budget.stagesEnd))
        try await bench.process(request, wasQueued: true)
        let verdict = try #require(bench.emissions.first?.verdicts.first)
        #expect(verdict.failure?.detail == "the budget ended in the stage \"queue\"")
        #expect(verdict.stages == [Stage(name: .queue, duration: .milliseconds(29_750))])
        #expect(bench.fetcher.calls.isEmpty)
    }

    @Test func `the verdict names the stage in which the budget ended`() throws {
        let bench = PipelineBench(["https://a.example/1": .stalls])
        let request = try bench.request(SamplePayloads.single)
        _ = bench.start(request)
        bench.executor.turn()
        try #require(bench.fetcher.calls.first).trace.enter(.body)
        bench.turn(to: request.budget.stagesEnd)
        let verdict = try #require(bench.emissions.first?.verdicts.first)
        #expect(verdict.failure?.detail == "the budget ended in the stage \"body\"")
    }

    @Test func `the verdict has the bytes of a transfer that is running at the deadline`() throws {
        let bench = PipelineBench(["https://a.example/1": .stalls])
        let request = try bench.request(SamplePayloads.single)
        _ = bench.start(request)
        bench.executor.turn()
        let running = LiveTransferTiming(
            TransferTiming(origin: "https://a.example:443"), at: request.budget.received)
        try #require(bench.fetcher.calls.first).trace.begin(running)
        running.received(wireBytes: 7, bodyBytes: 9)
        bench.turn(to: request.budget.stagesEnd)
        let transfers = try #require(bench.emissions.first?.verdicts.first?.transfers)
        #expect(transfers.map(\.origin) == ["https://a.example:443"])
        #expect(transfers.map(\.failure) == [.budgetExceeded])
        #expect(transfers.map(\.bodyBytes) == [9])
    }

    @Test(arguments: [.milliseconds(10), .seconds(1), .seconds(30), .seconds(3_600)] as [Duration])
    func `downloads end when the time that is reserved before the deadline begins`(budget: Duration) throws {
        let bench = PipelineBench(["https://a.example/1": .stalls])
        let request = try bench.request(SamplePayloads.single, budget: budget)
        _ = bench.start(request)
        bench.executor.turn()
        #expect(bench.fetcher.calls.map(\.deadline) == [request.budget.stagesEnd])
        bench.turn(to: request.budget.stagesEnd.advanced(by: .nanoseconds(-1)))
        #expect(bench.emissions.isEmpty)
        bench.turn(to: request.budget.stagesEnd)
        let timing = try #require(bench.emissions.first).timing
        #expect(timing.elapsed == budget - min(budget / 10, .milliseconds(250)))
        #expect(timing.budget == budget)
    }

    @Test func `a transcode has the same deadline as the download`() async throws {
        let bench = PipelineBench()
        let request = try bench.request(SamplePayloads.single)
        try await bench.process(request)
        #expect(bench.transcoder.calls.map(\.deadline) == [request.budget.stagesEnd])
        #expect(bench.transcoder.calls.map(\.form) == [MediaProfile.ios.attachment])
    }

    @Test func `a result is emitted at the deadline even if a transfer still hangs`() throws {
        let gate = Gate()
        let bench = PipelineBench(["https://a.example/2": .hangs(gate)])
        let request = try bench.request(SamplePayloads.pair)
        _ = bench.start(request)
        bench.executor.turn()
        bench.turn(to: request.budget.stagesEnd)
        #expect(bench.emissions.map(\.outcome) == [.partial])
        #expect(!bench.isFinished, "the second transfer still hangs")
        gate.open()
        bench.executor.turn()
        #expect(bench.isFinished)
        #expect(bench.emissions.count == 1)
        #expect(bench.emissions.first?.attachments.count == 1)
        #expect(bench.store.records.map(\.attachments.count) == [1], "a late attachment is not recorded")
    }

    @Test func `a request with a spent budget emits its text at once`() throws {
        let bench = PipelineBench(["https://a.example/1": .stalls, "https://a.example/2": .stalls])
        _ = bench.start(try bench.request(SamplePayloads.pair, budget: .seconds(-1)))
        bench.executor.turn()
        let notification = try #require(bench.emissions.first)
        #expect(notification.outcome == .fallback)
        #expect(notification.reason == .budgetExceeded)
        #expect(notification.text.body == "Sorry")
        #expect(notification.timing.elapsed == .zero)
        #expect(bench.isFinished)
    }

    @Test(arguments: UInt64(0)..<50)
    func `a media item without permission keeps its reason even if the budget is spent`(seed: UInt64) throws {
        let bench = PipelineBench()
        _ = bench.start(try bench.request(SamplePayloads.pair, budget: .zero) { $0.permissions.download = false })
        var generator = SeededGenerator(seed: seed)
        while bench.executor.turnOne(using: &generator) {}
        #expect(bench.emissions.map(\.reason) == [.downloadNotPermitted])
        #expect(bench.emissions.first?.reasons == [.downloadNotPermitted, .downloadNotPermitted])
    }

    @Test func `the verdict has the time of a stage that is running at the deadline`() throws {
        let bench = PipelineBench(["https://a.example/1": .stalls])
        let request = try bench.request(SamplePayloads.single)
        _ = bench.start(request)
        bench.executor.turn()
        let trace = try #require(bench.fetcher.calls.first).trace
        trace.enter(.connect, at: bench.clock.now)
        trace.enter(.wait, at: bench.clock.now.advanced(by: .seconds(1)))
        bench.turn(to: request.budget.stagesEnd)
        #expect(
            bench.emissions.first?.verdicts.first?.stages == [
                Stage(name: .connect, duration: .seconds(1)), Stage(name: .wait, duration: .milliseconds(28_750)),
            ])
    }

    /// The time of the plan grows with the number of media items, and not with its square. The result is therefore
    /// emitted before the deadline.
    @Test(.timeLimit(.minutes(1))) func `the result of thirty thousand media items is emitted in time`() async throws {
        let media = Array(repeating: #"{"url":"https://a.example/1","id":"a"}"#, count: 30_000).joined(separator: ",")
        let bench = PipelineBench()
        let notification = try #require(try await bench.process(bench.request(#"{"media":[\#(media)]}"#)).first)
        #expect(notification.outcome == .partial)
        #expect(notification.reason == .overloaded)
        #expect(notification.attachments.count == MediaPlan.maxMedia)
        #expect(notification.verdicts.count == 256)
        #expect(notification.problem == "29744 media after the first 256 are left out")
        #expect(bench.fetcher.calls.count == MediaPlan.maxMedia)
    }
}
