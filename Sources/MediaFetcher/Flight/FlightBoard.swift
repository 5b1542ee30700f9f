import HTTPCaching
import LinuxIO
import NotificationModel

/// Who waits for which fetch, on the network's thread: one flight for all who want the same URL at the same time.
///
/// Each follower has its own deadline and its own cancel. A flight is ended when its last follower has left, and its
/// result goes to all who are there when it lands.
actor FlightBoard {
    /// What makes two fetches the same: the URL as written, under one set of rules (which have the credentials).
    struct Key: Hashable, Sendable {
        var url: String
        var rules: Int
    }

    private struct Follower {
        let continuation: CheckedContinuation<Result<FetchedMedia, MediaFailure>, Never>
        let request: FetchRequest
        let trace: FlightTrace
        let isFirst: Bool
        var alarm: EventLoop.TimerID
    }

    private struct Flight {
        let task: Task<Void, Never>
        let trace: FlightTrace
    }

    private nonisolated let loop: EventLoop
    private let observer: @Sendable (FetchEvent) -> Void
    private let client: OriginClient
    private let store: (any ResponseStoring)?
    private let revalidations: RevalidationBoard
    /// What failures are remembered by.
    private let now: @Sendable () -> ContinuousClock.Instant
    private var ledger = FollowerLedger<Key>()
    private var flights: [UInt64: Flight] = [:]
    private var followers: [UInt64: Follower] = [:]
    private var lastFollower: UInt64 = 0
    /// Followers that want to be told how far the bytes have come. Most do not, and bytes come often.
    private var listeners = 0
    /// Flights by who was the last to leave them.
    private var abandoned: [UInt64: Task<Void, Never>] = [:]
    private var failures = NegativeCache<Key>()

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    init(
        loop: EventLoop, client: OriginClient, store: (any ResponseStoring)?, revalidations: RevalidationBoard,
        now: @escaping @Sendable () -> ContinuousClock.Instant, observer: @escaping @Sendable (FetchEvent) -> Void
    ) {
        self.observer = observer
        self.loop = loop
        self.client = client
        self.store = store
        self.revalidations = revalidations
        self.now = now
    }

    func fetch(_ request: FetchRequest, _ policy: FetchPolicy, rules: Int) async -> Result<FetchedMedia, MediaFailure> {
        let key = Key(url: request.url, rules: rules)
        if let failure = failures.failure(for: key, at: now()) { return .failure(failure) }
        lastFollower += 1
        let id = lastFollower
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { board(id, request, key, policy, $0) }
        } onCancel: {
            // Runs after the line above even when the task was cancelled before: both are turns of this loop.
            loop.execute { [weak self] in
                self?.assumeIsolated { $0.leave(id, .cancelled) }
            }
        }
        // Nothing of the flight is left behind the back of the last to leave.
        if let flight = abandoned.removeValue(forKey: id) { await flight.value }
        return result
    }

    /// Ends all flights, and waits for their ends.
    func shutdown() async {
        for id in followers.keys { leave(id, MediaFailure(.cancelled, "the fetcher was shut down")) }
        let tasks = flights.values.map(\.task)
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    // MARK: Followers

    private func board(
        _ id: UInt64, _ request: FetchRequest, _ key: Key, _ policy: FetchPolicy,
        _ continuation: CheckedContinuation<Result<FetchedMedia, MediaFailure>, Never>
    ) {
        let alarm = loop.schedule(at: request.deadline) { [unowned self] in
            self.assumeIsolated { $0.expire(id) }
        }
        let trace: FlightTrace
        let isFirst: Bool
        switch ledger.board(id, key, until: request.deadline) {
        case .joined(let flight):
            isFirst = false
            trace = flights[flight]?.trace ?? FlightTrace()
        case .first(let flight):
            isFirst = true
            trace = FlightTrace()
            begin(flight, key, request, policy, trace)
        }
        if request.progress != nil { listeners += 1 }
        followers[id] = Follower(
            continuation: continuation, request: request, trace: trace, isFirst: isFirst, alarm: alarm)
        trace.join(request.trace)
    }

    private func expire(_ id: UInt64) {
        let stage = followers[id]?.trace.stage.map { " in the stage \"\($0.rawValue)\"" } ?? ""
        leave(id, MediaFailure(.budgetExceeded, "the budget ended\(stage)"))
    }

    private func leave(_ id: UInt64, _ failure: MediaFailure) {
        if let flight = ledger.leave(id), let task = flights[flight]?.task {
            task.cancel()
            abandoned[id] = task
        }
        tell(id, .failure(failure))
    }

    private func tell(_ id: UInt64, _ result: Result<FetchedMedia, MediaFailure>) {
        guard let follower = followers.removeValue(forKey: id) else { return }
        loop.cancel(follower.alarm)
        follower.trace.leave(follower.request.trace)
        if let progress = follower.request.progress {
            listeners -= 1
            progress.finish()
        }
        var result = result
        if !follower.isFirst, case .success(var media) = result, [.miss, .revalidated].contains(media.cache) {
            media.cache = .coalesced
            result = .success(media)
        }
        if case .success(let media) = result { observer(.delivered(media.cache)) }
        follower.continuation.resume(returning: result)
    }

    // MARK: Flights

    private func begin(
        _ id: UInt64, _ key: Key, _ request: FetchRequest, _ policy: FetchPolicy, _ trace: FlightTrace
    ) {
        let errand = Errand(
            policy: policy, trace: trace,
            progress: { [unowned self] state in self.assumeIsolated { $0.tell(state, of: id) } },
            remaining: { [unowned self] in self.assumeIsolated { $0.remaining(of: id) } },
            makeFile: request.makeFile)
        let flight = MediaFlight(
            url: request.url, errand: errand, client: client, cache: store.map(policy.exchange(over:)))
        flights[id] = Flight(
            task: Task {
                let landing = await flight.fly()
                land(id, key, landing, flight)
            }, trace: trace)
    }

    private func remaining(of flight: UInt64) -> Duration {
        ledger.deadline(of: flight).map { ContinuousClock.now.duration(to: $0) } ?? .zero
    }

    private func tell(_ state: FetchProgress.State, of flight: UInt64) {
        guard listeners > 0 else { return }
        for id in ledger.followers(of: flight) { followers[id]?.request.progress?.tell(state) }
    }

    private func land(_ id: UInt64, _ key: Key, _ landing: MediaFlight.Landing, _ flight: MediaFlight) {
        flights[id] = nil
        if case .failure(let failure) = landing.result {
            failures.note(failure, status: landing.status, for: key, at: now())
        }
        for follower in ledger.land(id) { tell(follower, landing.result) }
        guard let cache = flight.cache else { return }
        for revalidation in landing.revalidations {
            revalidations.assumeIsolated { $0.begin(revalidation, in: cache, for: flight.errand) }
        }
    }
}
