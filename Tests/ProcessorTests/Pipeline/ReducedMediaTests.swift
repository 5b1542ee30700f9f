import Base
import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

/// Tests that a reduced rendition is shown, that the verdict names the reduction, and that no other request gets this
/// rendition.
@Suite(.timeLimit(.minutes(1))) struct ReducedMediaTests {
    private static let payload = #"{"aps":{"alert":"B"},"media":[{"url":"https://a.example/1"}]}"#
    private static let smaller = MediaReduction(.smaller, "the budget left time for a longest side of 256 pixels")
    private static let still = MediaReduction(.still, "the budget left time only for a still")
    private static let broken = MediaReduction(
        .still, "there is only a still of the video: the worker ended", because: .workerCrashed)

    @Test func `the outcome of a request with a reduced image is rich, and the verdict has the reason`() async throws {
        let bench = PipelineBench(transcoder: FakeTranscoder(reductions: ["https://a.example/1": [Self.smaller]]))
        let notification = try #require(try await bench.process(bench.request(Self.payload)).first)
        #expect(notification.outcome == .rich && notification.reason == nil)
        let verdict = JSONNode(notification.json)["verdicts"][0]
        #expect(verdict["result"].string == "shown" && verdict["reason"].string == "budget-exceeded")
        #expect(verdict["detail"].string == Self.smaller.detail)
        let violations = try DocumentedSchema.content().violations(of: notification.json)
        // The container is a fake, whose digests do not match the schema.
        #expect(violations.filter { !$0.description.contains("attachments") }.map(\.description) == [])
    }

    @Test func `the outcome of a request with a still image in place of a video is partial`() async throws {
        let bench = PipelineBench(transcoder: FakeTranscoder(reductions: ["https://a.example/1": [Self.still]]))
        let notification = try #require(try await bench.process(bench.request(Self.payload)).first)
        #expect(notification.outcome == .partial && notification.reason == .budgetExceeded)
        #expect(notification.attachments.count == 1 && notification.text.body == "B")
        let violations = try DocumentedSchema.content().violations(of: notification.json)
        // The container is a fake, whose digests do not match the schema.
        #expect(violations.filter { !$0.description.contains("attachments") }.map(\.description) == [])
    }

    @Test func `the verdict of a still image has the reason why the video could not be made`() async throws {
        let bench = PipelineBench(transcoder: FakeTranscoder(reductions: ["https://a.example/1": [Self.broken]]))
        let notification = try #require(try await bench.process(bench.request(Self.payload)).first)
        #expect(notification.outcome == .partial && notification.reason == .workerCrashed)
        #expect(notification.attachments.count == 1 && notification.text.body == "B")
        let verdict = JSONNode(notification.json)["verdicts"][0]
        #expect(verdict["result"].string == "shown" && verdict["reason"].string == "worker-crashed")
        #expect(verdict["detail"].string == Self.broken.detail)
        let violations = try DocumentedSchema.content().violations(of: notification.json)
        // The container is a fake, whose digests do not match the schema.
        #expect(violations.filter { !$0.description.contains("attachments") }.map(\.description) == [])
    }

    /// More time does not help if a video crashes its worker.
    @Test func `a waiting request with more time uses the still image of a video that crashes its worker`() async throws
    {
        let gate = Gate()
        let transcoder = FakeTranscoder(reductions: ["https://a.example/1": [Self.broken]], behind: gate)
        let bench = PipelineBench(transcoder: transcoder)
        let requests = [
            bench.start(try bench.request(Self.payload, budget: .seconds(2))),
            bench.start(try bench.request(Self.payload, budget: .seconds(20))),
        ]
        bench.executor.turn()
        bench.executor.letGo()
        gate.open()
        for request in requests { _ = try await request.value }
        #expect(bench.emissions.map { $0.attachments.first?.reduction } == [Self.broken, Self.broken])
        #expect(transcoder.calls.count == 1)
    }

    @Test func `a later request does not use the reduced rendition of an earlier request`() async throws {
        let bench = PipelineBench(
            ["https://a.example/1": .stored(.hit, identity: "body-7", isStored: true)],
            transcoder: FakeTranscoder(reductions: ["https://a.example/1": [Self.smaller]]))
        try await bench.process(bench.request(Self.payload))
        #expect(bench.store.remembered.isEmpty)
        #expect(bench.store.records.first?.attachments.map(\.recipe) == [nil])
        let second = try await bench.process(bench.request(Self.payload))
        #expect(bench.transcoder.calls.count == 2)
        #expect(second.last?.attachments.first?.reduction == nil)
        #expect(bench.store.remembered.count == 1)
    }

    /// The second request waits for the work of the first. It has more time, and makes its own rendition.
    @Test func `a waiting request with more time gets a separate full rendition`() async throws {
        let gate = Gate()
        let transcoder = FakeTranscoder(reductions: ["https://a.example/1": [Self.smaller]], behind: gate)
        let bench = PipelineBench(transcoder: transcoder)
        let (short, long) = (
            bench.start(try bench.request(Self.payload, budget: .seconds(2))),
            bench.start(try bench.request(Self.payload, budget: .seconds(20)))
        )
        bench.executor.turn()
        #expect(transcoder.calls.count == 1)
        bench.executor.letGo()
        gate.open()
        _ = try await (short.value, long.value)
        let reductions = bench.emissions.map { ($0.timing.budget, $0.attachments.first?.reduction) }
        #expect(reductions.first { $0.0 == .seconds(2) }?.1 == Self.smaller)
        #expect(reductions.count == 2 && reductions.first { $0.0 == .seconds(20) }?.1 == nil)
        #expect(transcoder.calls.count == 2)
    }

    /// The budgets are the same, but the second request comes later. Its remaining time is shorter than the time that
    /// the first request had for the reduced rendition.
    @Test func `a request that has a later deadline but less time left uses the reduced rendition`() async throws {
        let gate = Gate()
        let transcoder = FakeTranscoder(reductions: ["https://a.example/1": [Self.smaller]], behind: gate)
        let bench = PipelineBench(transcoder: transcoder)
        let arrival = bench.clock.now
        let first = bench.start(try bench.request(Self.payload, budget: .seconds(2)))
        bench.turn(to: arrival + .milliseconds(5))
        let second = bench.start(try bench.request(Self.payload, budget: .seconds(2)))
        bench.turn(to: arrival + .milliseconds(1_500))
        bench.executor.letGo()
        gate.open()
        _ = try await (first.value, second.value)
        #expect(bench.emissions.map { $0.attachments.first?.reduction } == [Self.smaller, Self.smaller])
        #expect(transcoder.calls.count == 1)
    }

    @Test func `a waiting request with the same time uses the reduced rendition`() async throws {
        let gate = Gate()
        let transcoder = FakeTranscoder(reductions: ["https://a.example/1": [Self.smaller]], behind: gate)
        let bench = PipelineBench(transcoder: transcoder)
        let requests = [
            bench.start(try bench.request(Self.payload, budget: .seconds(2))),
            bench.start(try bench.request(Self.payload, budget: .seconds(2))),
        ]
        bench.executor.turn()
        bench.executor.letGo()
        gate.open()
        for request in requests { _ = try await request.value }
        #expect(bench.emissions.map { $0.attachments.first?.reduction } == [Self.smaller, Self.smaller])
        #expect(transcoder.calls.count == 1)
    }
}
