import NotificationModel
import TranscodeProtocol

/// The machine and what it estimates by, behind a lock: admissions come from any thread.
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

    /// - Returns: the wait, when it is too long.
    mutating func admit(
        _ job: JobID, of flow: TranscodeFlow, until deadline: MonotonicInstant, isPart: Bool = false,
        at now: MonotonicInstant
    ) -> Duration? {
        let terms = terms(of: flow, until: deadline, isPart: isPart)
        return machine.admit(job, terms, at: now) ? nil : machine.wait(for: terms, at: now)
    }

    /// - Returns: the wait of a job that would not be admitted.
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

/// A medium's place among the jobs of a pool, reserved when its download begins.
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
        /// Number of the reservation.
        var job: JobID?
        /// Number of the job itself.
        var submitted: JobID?
        var refusal: MediaFailure?
        /// The media item has ended. A download that goes on for others reserves nothing by this permit.
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

    /// The number of the reservation, which the job gets.
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

    /// The job is handed in, under a number and at the rank of the permit.
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

/// An object, so that a pool and its permits have the same one.
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
    /// `3.2 s`.
    fileprivate var words: String { "\((seconds * 10).rounded() / 10) s" }
}
