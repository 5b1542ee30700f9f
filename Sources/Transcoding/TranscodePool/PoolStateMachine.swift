import Base
import LinuxIO

typealias WorkerID = UInt32

/// The assignment of jobs to workers. The type has no side effects, and uses no processes and no clocks.
///
/// Events are the input, and actions are the output, in the order in which the pool does them. Each job is finished
/// exactly once, even if two events occur at the same time. Examples are a reply and a cancellation, or a crash and a
/// kill. A worker that is to be killed gets no other job.
///
/// A worker is started when a job waits and no worker is idle, up to `size` workers. A worker that ended is replaced
/// only while jobs wait, and at most as often as `StartBudget` allows. `TranscodeQueue` orders the jobs.
struct PoolStateMachine: ~Copyable {
    enum Event: Equatable {
        /// The job's media item is downloaded.
        case submitted(JobID, TranscodeTerms)
        /// The caller cancelled the job, or its deadline passed.
        case abandoned(JobID)
        /// A caller with a higher rank joins the waiting callers of the job. Serves `warm`: a notification whose media
        /// are being warmed does not wait for the other warming jobs.
        case raised(JobID, Int)
        /// A worker has replied. `isSpent` means that the worker gets no other job.
        case replied(WorkerID, JobID, isSpent: Bool = false)
        /// A worker sent a message that no intact worker sends.
        case distrusted(WorkerID)
        /// The process has ended. `nil` means that the pool itself killed it.
        case ended(WorkerID, ProcessEnd?)
        case startFailed(WorkerID)
        /// The instant of a `wake` is reached.
        case woken
        /// The pool shuts down. All jobs end now, and no worker gets another job.
        case shutDown
    }

    enum Finish: Equatable {
        case replied
        case abandoned
        /// `blamesFile` means that the job's own file probably ended the worker.
        case crashed(ProcessEnd?, blamesFile: Bool)
        case cannotStart
        /// No worker could have finished the job before its deadline.
        case overloaded
    }

    enum Action: Equatable {
        case start(WorkerID, isForWarming: Bool = false)
        case send(JobID, WorkerID)
        case finish(JobID, Finish)
        case kill(WorkerID)
        /// The pool sends `woken` at this instant. Until then, there is no other `wake`.
        case wake(MonotonicInstant)
    }

    private struct Worker {
        enum State: Equatable {
            case idle
            case busy(PoolJob)
            case dying
        }

        let isForWarming: Bool
        /// Whether the worker has finished a job. If such a worker crashes, an earlier job's file may be the cause.
        var isExperienced = false
        var state = State.idle

        var job: PoolJob? { if case .busy(let job) = state { job } else { nil } }
    }

    /// The maximum number of workers to which one job is assigned.
    private static let maxAttempts = 2
    /// The time between two looks at the waiting jobs. A waiting job may be started without another event: if starts
    /// are allowed again, if the running jobs have become long, or if a video has time only for its still image.
    private static let lookInterval = Duration.milliseconds(100)

    let size: Int
    let warmingSize: Int
    var queue = TranscodeQueue()
    private var workers: [WorkerID: Worker] = [:]
    private var starts: StartBudget
    private var lastWorker: WorkerID = 0
    private var isWaking = false

    /// - Parameter size: The largest number of workers for notifications, without the additional worker for short jobs.
    /// - Parameter warmingSize: The largest number of workers for warming.
    init(size: Int, warmingSize: Int = 1) {
        self.size = size
        self.warmingSize = warmingSize
        starts = StartBudget(size: size)
    }

    var waitingCount: Int { queue.readyCount(isWarming: false) + queue.readyCount(isWarming: true) }

    /// The numbers of workers and of jobs that wait for one.
    var load: PoolLoad {
        PoolLoad(
            most: size, running: workers.count, busy: workers.values.count { $0.job != nil },
            idle: workers.values.count { $0.state == .idle }, waiting: waitingCount)
    }

    /// Returns whether a worker is processing the job, so that its reply is accepted.
    func isAt(_ job: JobID, _ worker: WorkerID) -> Bool { workers[worker]?.job?.id == job }

    mutating func handle(_ event: Event, at now: MonotonicInstant) -> [Action] {
        var actions: [Action] = []
        switch event {
        case .submitted(let job, let terms):
            queue.insert(PoolJob(id: job, terms: terms, isReady: true, since: now))
        case .abandoned(let job): abandon(job, &actions)
        case .raised(let job, let rank): queue.raise(job, to: rank)
        case .replied(let worker, let job, let isSpent):
            // A reply of a worker that is being killed is ignored. If a reply is for another job than the worker's job,
            // the reply is also ignored, and the worker is killed.
            if isAt(job, worker) {
                workers[worker]?.state = .idle
                workers[worker]?.isExperienced = true
                actions.append(.finish(job, .replied))
                if isSpent { kill(worker, &actions) }
            } else {
                distrust(worker, &actions)
            }
        case .distrusted(let worker): distrust(worker, &actions)
        case .ended(let worker, let end): ended(worker, end, &actions, at: now)
        case .startFailed(let worker):
            if let job = workers.removeValue(forKey: worker)?.job { actions.append(.finish(job.id, .cannotStart)) }
        case .woken: isWaking = false
        case .shutDown:
            actions += queue.removeReady().map { .finish($0, .abandoned) }
            for worker in workers.keys {
                if let job = workers[worker]?.job { abandon(job.id, &actions) }
                workers[worker]?.state = .dying
            }
        }
        assign(isWarming: false, &actions, at: now)
        assign(isWarming: true, &actions, at: now)
        if !isWaking, waitingCount > 0 {
            isWaking = true
            actions.append(.wake(now + Self.lookInterval))
        }
        return actions
    }

    private mutating func abandon(_ job: JobID, _ actions: inout [Action]) {
        if queue.remove(job) != nil {
            actions.append(.finish(job, .abandoned))
        } else if let worker = workers.first(where: { $0.value.job?.id == job })?.key {
            actions.append(.finish(job, .abandoned))
            kill(worker, &actions)
        }
    }

    private mutating func kill(_ worker: WorkerID, _ actions: inout [Action]) {
        workers[worker]?.state = .dying
        actions.append(.kill(worker))
    }

    /// Kills a worker that sent an unexpected message, so that it gets no other job.
    private mutating func distrust(_ id: WorkerID, _ actions: inout [Action]) {
        guard let worker = workers[id], worker.state != .dying else { return }
        if let job = worker.job { actions.append(.finish(job.id, .crashed(nil, blamesFile: !worker.isExperienced))) }
        kill(id, &actions)
    }

    /// Handles the end of a worker. The worker's job is tried once more, unless the worker crashed before it had
    /// finished a job. In that case the next worker would crash in the same way. If the worker has finished other jobs,
    /// their files may have caused the crash. Serves the threat model: no media file makes a harmless file fail.
    private mutating func ended(
        _ id: WorkerID, _ end: ProcessEnd?, _ actions: inout [Action], at now: MonotonicInstant
    ) {
        guard let worker = workers.removeValue(forKey: id), var job = worker.job else { return }
        job.attempts += 1
        let isFault = end?.isFault ?? true
        let isLast = job.attempts >= Self.maxAttempts
        if end == nil || isLast || isFault && !worker.isExperienced {
            let blamesFile = isFault && (isLast || !worker.isExperienced)
            actions.append(.finish(job.id, .crashed(end, blamesFile: blamesFile)))
        } else {
            queue.insert(job)
        }
    }

    // MARK: Starting jobs

    /// Starts jobs on the workers for notifications, or on the workers for warming.
    ///
    /// Warming has workers of its own, so that no notification waits for it. Serves `warm`: 99 % of the other images
    /// are rich beside calls that warm media.
    ///
    /// When `size` workers run long jobs, one more worker runs the short jobs. Without this worker, 18 of 20 photos with
    /// a budget of 2 s became text beside two films (decision 0009).
    private mutating func assign(isWarming: Bool, _ actions: inout [Action], at now: MonotonicInstant) {
        while true {
            let busy = running(isWarming: isWarming)
            let startsOnlyShort = !isWarming && busy.count { $0.isLong(at: now) } >= size
            let most = isWarming ? warmingSize : startsOnlyShort ? size + 1 : size
            guard busy.count < most,
                var job = queue.next(isWarming: isWarming, where: { !startsOnlyShort || $0.isShort(from: now) })
            else { return }
            guard canEnd(job, at: now) else {
                queue.remove(job.id)
                actions.append(.finish(job.id, .overloaded))
                continue
            }
            guard let worker = idleWorker(isForWarming: isWarming, most: most, &actions, at: now) else { return }
            queue.start(job, at: now)
            job.since = now
            workers[worker]?.state = .busy(job)
            actions.append(.send(job.id, worker))
        }
    }

    /// Returns an idle worker, or starts one, unless there are `most` workers, or `StartBudget` allows no start now.
    private mutating func idleWorker(
        isForWarming: Bool, most: Int, _ actions: inout [Action], at now: MonotonicInstant
    ) -> WorkerID? {
        let own = workers.filter { $0.value.isForWarming == isForWarming }
        if let idle = own.filter({ $0.value.state == .idle }).keys.min() { return idle }
        guard own.count < most, starts.take(at: now) else { return nil }
        lastWorker += 1
        workers[lastWorker] = Worker(isForWarming: isForWarming)
        actions.append(.start(lastWorker, isForWarming: isForWarming))
        return lastWorker
    }

    /// Returns whether a rendition can be made in time. Serves `overload`: jobs that were started and killed took all
    /// of the useful work at 3 times the capacity.
    ///
    /// Workers without other work try a job once even if there is no time. This delays no other job, and corrects a
    /// wrong estimate.
    private func canEnd(_ job: PoolJob, at now: MonotonicInstant) -> Bool {
        if job.terms.minTime < now.microseconds(to: job.terms.deadline) { return true }
        let isWarming = job.terms.flow.isWarming
        return job.attempts == 0 && queue.readyCount(isWarming: isWarming) == 1 && running(isWarming: isWarming).isEmpty
    }

    func running(isWarming: Bool) -> [PoolJob] {
        workers.values.compactMap { $0.isForWarming == isWarming ? $0.job : nil }
    }
}
