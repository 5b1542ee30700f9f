import HTTPCaching
import LinuxIO
import NotificationModel
import Synchronization

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

    /// A fetch from its call to its end, for both of its threads.
    private final class Seat: Sendable {
        let isGivenUp = Atomic<Bool>(false)
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
    private nonisolated let lastFollower = Atomic<UInt64>(0)
    /// Followers that want to be told how far the bytes have come. Most do not, and bytes come often.
    private var listeners = 0
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

    /// Not on the loop itself: who waits for the result gets it where they are, without another turn here.
    nonisolated func fetch(
        _ request: FetchRequest, _ policy: FetchPolicy, rules: Int
    ) async -> Result<FetchedMedia, MediaFailure> {
        let id = lastFollower.add(1, ordering: .relaxed).newValue
        let seat = Seat()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                loop.execute {
                    self.assumeIsolated { board in
                        board.board(id, request, Key(url: request.url, rules: rules), policy, continuation)
                        // The cancel may have come first, and found nobody.
                        if seat.isGivenUp.load(ordering: .acquiring) { board.leave(id, .cancelled) }
                    }
                }
            }
        } onCancel: {
            seat.isGivenUp.store(true, ordering: .releasing)
            loop.execute { [weak self] in
                self?.assumeIsolated { $0.leave(id, .cancelled) }
            }
        }
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
        if let failure = failures.failure(for: key, at: now()) {
            return continuation.resume(returning: .failure(failure))
        }
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
        guard let follower = stand(id) else { return }
        guard let flight = ledger.leave(id), let task = flights[flight]?.task else {
            return follower.continuation.resume(returning: .failure(failure))
        }
        task.cancel()
        // Nothing of the flight is left behind the back of the last to leave.
        Task(executorPreference: loop) {
            await task.value
            follower.continuation.resume(returning: .failure(failure))
        }
    }

    /// Takes them out of everything but the ledger.
    private func stand(_ id: UInt64) -> Follower? {
        guard let follower = followers.removeValue(forKey: id) else { return nil }
        loop.cancel(follower.alarm)
        follower.trace.leave(follower.request.trace)
        if let progress = follower.request.progress {
            listeners -= 1
            progress.finish()
        }
        return follower
    }

    private func tell(_ id: UInt64, _ result: Result<FetchedMedia, MediaFailure>) {
        guard let follower = stand(id) else { return }
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
            task: Task(executorPreference: loop) { await self.land(id, key, await flight.fly(), flight) }, trace: trace)
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
