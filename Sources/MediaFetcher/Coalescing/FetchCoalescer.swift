import HTTPCaching
import LinuxIO
import NotificationModel

/// The coalescer of requests for the same URL into one fetch. It is used only on the network's thread.
///
/// Each waiter has its own deadline and can be cancelled alone. The fetch is cancelled when its last waiter leaves. All
/// remaining waiters receive its result.
final class FetchCoalescer {
    /// The key of a fetch: the URL as written in the request, and the version of the rules, which contain the
    /// credentials.
    struct Key: Hashable, Sendable {
        var url: String
        var rules: Int
    }

    typealias WaiterID = UInt64
    typealias Promise = LoopPromise<Result<FetchedMedia, MediaFailure>>

    private final class Waiter {
        let promise: Promise
        let trace: StageTrace
        let progress: FetchProgress?
        let arriving: ArrivingMedia?
        let flight: Flight
        let isFirst: Bool
        let alarm: EventLoop.TimerID

        init(
            _ request: FetchRequest, _ flight: Flight, isFirst: Bool, alarm: EventLoop.TimerID,
            _ promise: Promise
        ) {
            self.promise = promise
            trace = request.trace
            progress = request.progress
            arriving = request.arriving
            self.flight = flight
            self.isFirst = isFirst
            self.alarm = alarm
        }
    }

    private final class Flight {
        let task: Task<Void, Never>
        let errand: FetchContext
        let arrival: ArrivalFanout
        /// A closure that ends the wait of the last waiter, after the fetch has released its resources; `nil` before
        /// that waiter leaves.
        var lastToLeave: (@Sendable () -> Void)?

        init(_ task: Task<Void, Never>, _ errand: FetchContext, _ arrival: ArrivalFanout) {
            self.task = task
            self.errand = errand
            self.arrival = arrival
        }
    }

    private let loop: EventLoop
    private let client: LoopConfined<OriginClient>
    private let store: (any ResponseStoring)?
    private let revalidations: LoopConfined<BackgroundRevalidator>
    /// The clock with which failures expire.
    private let now: @Sendable () -> MonotonicInstant
    private var ledger = SingleflightTable<Key>()
    private var flights: [UInt64: Flight] = [:]
    private var waiters: [WaiterID: Waiter] = [:]
    private var failures = NegativeCache<Key>()
    private var isShut = false

    init(
        loop: EventLoop, client: LoopConfined<OriginClient>, store: (any ResponseStoring)?,
        revalidations: LoopConfined<BackgroundRevalidator>,
        now: @escaping @Sendable () -> MonotonicInstant
    ) {
        self.loop = loop
        self.client = client
        self.store = store
        self.revalidations = revalidations
        self.now = now
    }

    /// Cancels all fetches, and waits until they have ended.
    func shutdown() async {
        isShut = true
        for id in waiters.keys { leave(id, .shutDown) }
        let tasks = flights.values.map(\.task)
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    // MARK: Waiters of a fetch

    func join(_ id: WaiterID, _ request: FetchRequest, _ rules: FetchRules, _ promise: Promise) {
        guard !isShut else { return promise.fulfill(.failure(.shutDown)) }
        let key = Key(url: request.url, rules: rules.version)
        if let failure = failures.failure(for: key, at: now()) {
            return promise.fulfill(.failure(failure))
        }
        let alarm = loop.schedule(at: request.deadline) { [unowned self] in expire(id) }
        let (flight, isFirst) =
            switch ledger.join(id, key, until: request.deadline) {
            case .joined(let number): (flights[number], false)
            case .first(let number): (begin(number, key, request, rules), true)
            }
        guard let flight else { preconditionFailure("a waiter joined a fetch that does not exist") }
        waiters[id] = Waiter(request, flight, isFirst: isFirst, alarm: alarm, promise)
        if let progress = request.progress { flight.errand.progress?.join(progress) }
        if let arriving = request.arriving { flight.arrival.join(arriving) }
        client.value.raise(flight.errand, to: request.rank)
        flight.errand.trace.join(request.trace)
    }

    /// Returns whether a request for a URL would join a running fetch, or would fail because of a cached failure.
    func isKnown(_ url: String, _ rules: FetchRules) -> Bool {
        let key = Key(url: url, rules: rules.version)
        return ledger.isUnderWay(key) || failures.failure(for: key, at: now()) != nil
    }

    /// Removes all cached failures.
    func forgetFailures() { failures = NegativeCache() }

    private func expire(_ id: WaiterID) {
        let errand = waiters[id]?.flight.errand
        let stage = errand?.trace.stage.map { " in the stage \"\($0.rawValue)\"" } ?? ""
        let proxy = errand?.proxy.map { ", through \($0)" } ?? ""
        leave(id, MediaFailure(.budgetExceeded, "the budget ended\(stage)\(proxy)"))
    }

    func leave(_ id: WaiterID, _ failure: MediaFailure) {
        guard let waiter = stand(id) else { return }
        guard let number = ledger.leave(id), let flight = flights[number] else {
            return waiter.promise.fulfill(.failure(failure))
        }
        // The last waiter waits until the fetch has released its resources.
        flight.lastToLeave = { [promise = waiter.promise] in promise.fulfill(.failure(failure)) }
        flight.task.cancel()
    }

    /// Removes a waiter from all structures except `ledger`.
    private func stand(_ id: WaiterID) -> Waiter? {
        guard let waiter = waiters.removeValue(forKey: id) else { return nil }
        loop.cancel(waiter.alarm)
        waiter.flight.errand.trace.leave(waiter.trace)
        if let progress = waiter.progress {
            waiter.flight.errand.progress?.leave(progress)
            progress.finish()
        }
        if let arriving = waiter.arriving { waiter.flight.arrival.leave(arriving) }
        return waiter
    }

    private func tell(_ id: WaiterID, _ result: Result<FetchedMedia, MediaFailure>) {
        guard let waiter = stand(id) else { return }
        var result = result
        if !waiter.isFirst, case .success(var media) = result, [.miss, .revalidated].contains(media.cache) {
            media.cache = .coalesced
            result = .success(media)
        }
        waiter.promise.fulfill(result)
    }

    // MARK: Start and end of fetches

    private func begin(
        _ id: UInt64, _ key: Key, _ request: FetchRequest, _ rules: FetchRules
    ) -> Flight {
        let join = LoopConfined(self, on: loop)
        let arrival = ArrivalFanout(of: request.url)
        let errand = FetchContext(
            rules: rules, rank: request.rank, progress: ProgressFanout(), remaining: { join.value.remaining(of: id) },
            willDownload: request.willDownload, makeFile: request.makeFile,
            bodyBegins: { file, version in arrival.begin(file, of: version) })
        let flight = FetchTask(
            url: request.url, errand: errand, client: client,
            cache: store.map { rules.policy.exchange(over: $0.forFetch()) })
        let task = Task(executorPreference: loop.tasks) {
            let landing = await flight.run()
            join.value.land(id, key, landing, flight)
        }
        let begun = Flight(task, errand, arrival)
        flights[id] = begun
        return begun
    }

    private func remaining(of flight: UInt64) -> Duration {
        ledger.deadline(of: flight).map { MonotonicInstant.now.duration(to: $0) } ?? .zero
    }

    private func land(_ id: UInt64, _ key: Key, _ landing: FetchTask.FetchOutcome, _ flight: FetchTask) {
        let ended = flights.removeValue(forKey: id)
        // The failures of a resting host are not cached, because its media are fetched as soon as the rest ends.
        if case .failure(let failure) = landing.result, flight.errand.trace.restingHost == nil {
            failures.note(failure, status: landing.status, for: key, at: now())
        }
        for waiter in ledger.finish(id) { tell(waiter, landing.result) }
        // This runs in a later callback of the loop. By then the task has ended and has released its resources.
        if let tell = ended?.lastToLeave { loop.execute(tell) }
        guard let cache = flight.cache else { return }
        for revalidation in landing.revalidations {
            revalidations.value.begin(revalidation, in: cache, for: flight.errand)
        }
    }
}
