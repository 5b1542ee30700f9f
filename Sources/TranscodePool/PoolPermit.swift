import NotificationModel
import Primitives
import TranscodeProtocol

/// The state machine of a pool and its estimates. A lock protects them, because admissions come from any thread.
struct PoolScheduler: ~Copyable {
    var machine: PoolStateMachine
    var estimator = TranscodeEstimator()
    var crashes = CrashHistory()
    private var lastJob: JobID = 0

    init(size: Int, warmingSize: Int) { machine = PoolStateMachine(size: size, warmingSize: warmingSize) }

    mutating func nextJob() -> JobID {
        lastJob &+= 1
        return lastJob
    }

    mutating func handle(_ event: PoolStateMachine.Event, at now: MonotonicInstant) -> [PoolStateMachine.Action] {
        machine.pace = estimator.pace.factor
        return machine.handle(event, at: now)
    }

    /// Admits a job, and adds its reservation to the queue.
    ///
    /// - Returns: The estimated wait if the wait is too long; `nil` if the job is admitted.
    mutating func admit(
        _ job: JobID, of flow: TranscodeFlow, until deadline: MonotonicInstant, isPart: Bool = false,
        at now: MonotonicInstant
    ) -> Duration? {
        let terms = terms(of: flow, until: deadline, isPart: isPart)
        return machine.admit(job, terms, at: now) ? nil : machine.wait(for: terms, at: now)
    }

    /// Checks a job without a reservation.
    ///
    /// - Returns: The estimated wait if the job would not be admitted; `nil` if the job would be admitted.
    mutating func excessiveWait(
        of flow: TranscodeFlow, until deadline: MonotonicInstant, at now: MonotonicInstant
    ) -> Duration? {
        let terms = terms(of: flow, until: deadline, isPart: false)
        return machine.wouldAdmit(terms, at: now) ? nil : machine.wait(for: terms, at: now)
    }

    private mutating func terms(
        of flow: TranscodeFlow, until deadline: MonotonicInstant, isPart: Bool
    ) -> TranscodeTerms {
        machine.pace = estimator.pace.factor
        let estimate =
            isPart ? estimator.estimate(ofPartFrom: flow.host) : estimator.estimate(ofHost: flow.host)
        return TranscodeTerms(flow, until: deadline, estimate, isPart: isPart)
    }
}

extension TranscodeTerms {
    init(_ flow: TranscodeFlow, until deadline: MonotonicInstant, _ estimate: TranscodeEstimate, isPart: Bool) {
        self.init(
            flow: flow, deadline: deadline, cost: estimate.ordered, leastCost: estimate.least,
            isTried: !estimate.isKnown, isPart: isPart)
    }
}

/// The permit of a media item for a job in a pool. The job is reserved when the item's download begins.
final class PoolPermit: TranscodePermit {
    let flow: TranscodeFlow
    private let deadline: MonotonicInstant
    private let isPart: Bool
    private let scheduler: SharedScheduler
    private let observer: @Sendable (PoolEvent) -> Void
    private let raised: @Sendable (JobID, Int) -> Void
    private let state: Guarded<State>

    private struct State {
        var rank: Int
        /// The number of the reservation; `nil` if nothing is reserved.
        var job: JobID?
        /// The number of the submitted job; `nil` before it is submitted.
        var submitted: JobID?
        var refusal: MediaFailure?
        /// Whether the media item has ended. If the download continues for other items, this permit adds no reservation
        /// for it.
        var isReleased = false
    }

    init(
        _ flow: TranscodeFlow, until deadline: MonotonicInstant, isPart: Bool = false, in scheduler: SharedScheduler,
        observer: @escaping @Sendable (PoolEvent) -> Void,
        raised: @escaping @Sendable (JobID, Int) -> Void = { _, _ in }
    ) {
        state = Guarded(State(rank: flow.priority))
        self.raised = raised
        self.flow = flow
        self.deadline = deadline
        self.isPart = isPart
        self.scheduler = scheduler
        self.observer = observer
    }

    /// The number of the reservation, which becomes the number of the job; `nil` if nothing is reserved.
    var job: JobID? { state.withLock(\.job) }

    var rank: Int { state.withLock(\.rank) }

    func raise(to rank: Int) {
        let job = state.withLock { state -> JobID? in
            guard rank > state.rank else { return nil }
            state.rank = rank
            return state.submitted
        }
        if let job { raised(job, rank) }
    }

    /// Records the number of the submitted job.
    ///
    /// - Returns: The rank of the permit, which is that of the job.
    func submit(_ job: JobID) -> Int {
        state.withLock { state in
            state.submitted = job
            return state.rank
        }
    }

    func acquire() throws(MediaFailure) {
        let (refusal, isNew) = state.withLock { state -> (MediaFailure?, Bool) in
            guard state.refusal == nil, state.job == nil, !state.isReleased else { return (state.refusal, false) }
            let (job, refusal) = scheduler.state.withLock { scheduler -> (JobID, MediaFailure?) in
                let job = scheduler.nextJob()
                if let rest = scheduler.crashes.rest(of: CrashHistory.Origin(flow), at: .now) {
                    return (job, .resting(flow.host, for: rest))
                }
                let wait = scheduler.admit(job, of: flow, until: deadline, isPart: isPart, at: .now)
                return (job, wait.map { .overloaded(forAnother: $0) })
            }
            if let refusal { state.refusal = refusal } else { state.job = job }
            return (state.refusal, true)
        }
        guard let refusal else { return }
        if isNew { observer(refusal.reason == .overloaded ? .overloaded(isDownloaded: false) : .rested) }
        throw refusal
    }

    func release() {
        let job = state.withLock { state in
            state.isReleased = true
            return state.job
        }
        guard let job else { return }
        scheduler.state.withLock { $0.machine.release(job) }
    }
}

/// A reference to a scheduler, which a pool shares with its permits.
final class SharedScheduler: Sendable {
    let state: Guarded<PoolScheduler>

    init(size: Int, warmingSize: Int = 1) {
        state = Guarded(PoolScheduler(size: size, warmingSize: warmingSize))
    }
}

extension MediaFailure {
    static func overloaded(forAnother wait: Duration) -> MediaFailure {
        MediaFailure(
            .overloaded,
            "not downloaded: the workers are busy for another \(wait.words), and the budget ends before that")
    }
}

extension Duration {
    /// The duration in seconds with one decimal, as in `3.2 s`.
    fileprivate var words: String { "\(seconds.roundedToTenths) s" }
}
