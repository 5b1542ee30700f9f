import Base
import FoundationEssentials
import NotificationModel
import NotificationProcessor
import Synchronization
import TestSupport

/// A pipeline between fakes, which records all contents that it emits. Most tests of this target use it.
///
/// A test can give answers of the fetcher, of the transcoder and of the store. By default, every download is ready at
/// once, every rendition can be made, and every file can be stored. `request` makes a request from a payload in JSON.
/// The pipeline refuses the same requests and media items as in the daemon. A test that needs another refusal sets this
/// refusal in a fake.
///
/// `process` runs to the end on real threads. `start` runs on a `TurnedExecutor` with a manual clock. Nothing happens
/// until the test calls `turn`. The test cancels the task that `start` returns, or opens a `Gate` that holds a fake.
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
        resting rest: Gate? = nil, mediaInFlight: Int = 1_024, recipients: (any RecipientReading)? = nil
    ) {
        fetcher = FakeFetcher(answers, resting: rest)
        self.transcoder = transcoder
        self.store = store
        pipeline = NotificationPipeline(
            rules: GroupRules(rules), tables: tables, fetcher: fetcher, transcoder: transcoder, store: store,
            mediaInFlight: mediaInFlight, clock: clock, executor: executor)
        if let recipients { pipeline.use(recipients) }
    }

    var emissions: [ProcessedNotification] { emitted.withLock { $0 } }

    /// Returns a request that arrives now and has the given payload of a provider.
    func request(
        _ payload: String, budget: Duration = .seconds(30), _ change: (inout NotificationRequest) -> Void = { _ in }
    ) throws -> NotificationRequest {
        var request = NotificationRequest(
            id: .new(millisecondsSince1970: 0), budget: TimeBudget(received: clock.now, length: budget),
            receivedAt: clock.date, payload: try JSONParser.value(of: payload).object ?? [:])
        change(&request)
        return request
    }

    func waitsForMedia(_ request: NotificationRequest) async -> Bool { await !pipeline.plan(request).isDecided }

    func overload(of request: NotificationRequest) async -> MediaFailure? {
        await pipeline.overload(of: await pipeline.plan(request))
    }

    /// Warms the media of a request to the end, on real threads.
    func warm(_ request: NotificationRequest, keepUntil date: Date? = nil) async -> [WarmedMediaItem] {
        executor.letGo()
        return await pipeline.warm(request, keepUntil: date)
    }

    /// Processes a request to the end, on real threads.
    @discardableResult
    func process(
        _ request: NotificationRequest, wasQueued: Bool = false
    ) async throws(MediaFailure) -> [ProcessedNotification] {
        executor.letGo()
        return try await emissions(of: request, wasQueued: wasQueued)
    }

    private func emissions(
        of request: NotificationRequest, wasQueued: Bool = false
    ) async throws(MediaFailure) -> [ProcessedNotification] {
        defer { finished.store(true, ordering: .relaxed) }
        let planned = await pipeline.plan(request)
        if wasQueued { planned.noteQueue() }
        async let media: Void = planned.prepareMedia { _ in }
        let notification = await planned.notification()
        emitted.withLock { $0.append(notification) }
        await media
        try await planned.record()
        return emissions
    }

    /// Starts to process a request on the executor of the test. Nothing happens before the first call of `turn`.
    func start(_ request: NotificationRequest) -> Task<[ProcessedNotification], any Error> {
        Task(executorPreference: executor) { try await self.emissions(of: request) }
    }

    /// Whether the request is emitted, and all tasks of the request have ended.
    var isFinished: Bool { finished.load(ordering: .relaxed) }

    /// Sets the clock to an instant, and then runs the executor until no task is ready.
    func turn(to instant: MonotonicInstant) {
        clock.advance(by: clock.now.duration(to: instant))
        executor.turn()
    }

    func plan(_ request: NotificationRequest) async -> PlannedRequest { await pipeline.plan(request) }

    func reject(_ request: NotificationRequest, because problem: String) -> ProcessedNotification {
        pipeline.reject(request, because: problem)
    }
}

extension ProcessedNotification {
    /// The reasons of the verdicts; `nil` for media that are shown.
    var reasons: [DegradationReason?] { verdicts.map { $0.failure?.reason } }
}
