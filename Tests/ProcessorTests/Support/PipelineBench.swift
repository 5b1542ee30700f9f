import FoundationEssentials
import JSON
import NotificationModel
import NotificationProcessor
import Synchronization
import TestSupport

/// A pipeline between fakes, and all that it emits.
final class PipelineBench: Sendable {
    let clock = ManualClock()
    let fetcher: FakeFetcher
    let transcoder: FakeTranscoder
    let store: FakeStore
    private let pipeline: NotificationPipeline
    let executor = TurnedExecutor()
    private let emitted = Guarded<[ProcessedNotification]>([])
    private let finished = Atomic(false)

    init(
        _ answers: [String: FakeFetcher.Answer] = [:], transcoder: FakeTranscoder = FakeTranscoder(),
        store: FakeStore = FakeStore(), tables: FakeTables? = nil, rules: PayloadRules = PayloadRules(),
        resting rest: Gate? = nil, mediaInFlight: Int = 1_024
    ) {
        fetcher = FakeFetcher(answers, resting: rest)
        self.transcoder = transcoder
        self.store = store
        pipeline = NotificationPipeline(
            rules: { rules }, tables: tables, fetcher: fetcher, transcoder: transcoder, store: store,
            mediaInFlight: mediaInFlight, clock: clock, executor: executor)
    }

    var emissions: [ProcessedNotification] { emitted.withLock { $0 } }

    /// A request for a payload as the provider wrote it, arriving now.
    func request(
        _ payload: String, budget: Duration = .seconds(30), _ change: (inout NotificationRequest) -> Void = { _ in }
    ) throws -> NotificationRequest {
        var request = NotificationRequest(
            id: .new(millisecondsSince1970: 0), budget: TimeBudget(received: clock.now, length: budget),
            receivedAt: clock.date, payload: try JSONParser.value(of: payload).object ?? [:])
        change(&request)
        return request
    }

    func waitsForMedia(_ request: NotificationRequest) -> Bool {
        pipeline.waitsForMedia(request, as: pipeline.reading(of: request))
    }

    func overload(of request: NotificationRequest) async -> MediaFailure? {
        await pipeline.overload(of: request, as: pipeline.reading(of: request))
    }

    /// Warms to the end, in real time.
    func warm(_ request: NotificationRequest, keepUntil date: Date? = nil) async -> [WarmedMedium] {
        executor.letGo()
        return await pipeline.warm(request, keepUntil: date)
    }

    /// Processes to the end, in real time.
    @discardableResult
    func process(
        _ request: NotificationRequest, queuedSince: MonotonicInstant? = nil
    ) async throws(MediaFailure) -> [ProcessedNotification] {
        executor.letGo()
        return try await emissions(of: request, queuedSince: queuedSince)
    }

    private func emissions(
        of request: NotificationRequest, queuedSince: MonotonicInstant? = nil
    ) async throws(MediaFailure) -> [ProcessedNotification] {
        defer { finished.store(true, ordering: .relaxed) }
        try await pipeline.process(
            request, as: pipeline.reading(of: request), queuedSince: queuedSince, progress: { _ in },
            emit: { notification in emitted.withLock { $0.append(notification) } })
        return emissions
    }

    /// Processes while the test turns the executor: nothing happens until then.
    func start(_ request: NotificationRequest) -> Task<[ProcessedNotification], any Error> {
        Task(executorPreference: executor) { try await self.emissions(of: request) }
    }

    /// The request has come to its end: emitted, and all its stragglers gone.
    var isFinished: Bool { finished.load(ordering: .relaxed) }

    /// Turns the clock to an instant, and the executor until nothing is ready.
    func turn(to instant: MonotonicInstant) {
        clock.advance(by: clock.now.duration(to: instant))
        executor.turn()
    }

    func reject(_ request: NotificationRequest, because problem: String) -> ProcessedNotification {
        pipeline.reject(request, because: problem)
    }
}

extension ProcessedNotification {
    /// The reasons of the verdicts, `nil` for what is shown.
    var reasons: [DegradationReason?] { verdicts.map { $0.failure?.reason } }
}
