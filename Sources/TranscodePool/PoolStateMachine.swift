package import LinuxIO
package import Primitives

package typealias JobID = UInt32
package typealias WorkerID = UInt32

/// The assignment of jobs to workers. The type has no side effects, and uses no processes and no clocks.
///
/// Events are the input, and actions are the output, in the order in which the pool does them. Each job is finished
/// exactly once, even if two events occur at the same time. Examples are a reply and a cancellation, or a crash and a
/// kill. A worker that is to be killed gets no other job.
///
/// A worker is started when a job waits and no worker is idle, up to `size` workers. A worker that ended is replaced
/// only while jobs wait, and at most as often as `StartBudget` allows. `TranscodeQueue` orders the jobs.
///
/// A job is started only if a worker can still make a rendition before its deadline. When `size` workers run long jobs,
/// one more worker runs the short jobs, so that images do not wait for the encoding of videos. Warming has its own
/// `warmingSize` workers, so that no notification waits for it.
package struct PoolStateMachine: ~Copyable {
    package enum Event: Equatable {
        /// The job's media item is downloaded. A reservation with the same number becomes the job.
        case submitted(JobID, TranscodeTerms)
        /// The caller cancelled the job, or its deadline passed. Unless the event is final, a worker that is about to
        /// finish the job may finish it.
        case abandoned(JobID, isFinal: Bool)
        /// A caller with a higher rank joins the waiting callers of the job.
        case raised(JobID, Int)
        /// A worker has replied. `isSpent` means that the worker gets no other job.
        case replied(WorkerID, JobID, isSpent: Bool = false)
        /// A worker without a job sent a message, although an intact worker sends no message without a job.
        case distrusted(WorkerID)
        /// The job was removed from the pool instead of being sent to the worker.
        case withdrawn(JobID, WorkerID)
        /// The process has ended. `nil` means that the pool itself killed it.
        case ended(WorkerID, ProcessEnd?)
        case startFailed(WorkerID)
        /// The instant of a `wake` is reached.
        case woken
        /// The pool shuts down. All jobs end now, and no worker gets another job.
        case shutDown
    }

    package enum Finish: Equatable {
        case replied
        case abandoned
        /// `blamesFile` means that the job's own file probably ended the worker.
        case crashed(ProcessEnd?, blamesFile: Bool)
        case cannotStart
        /// No worker could have finished the job before its deadline.
        case overloaded
    }

    package enum Action: Equatable {
        case start(WorkerID)
        case send(JobID, WorkerID)
        case finish(JobID, Finish)
        case kill(WorkerID)
        /// The job has no caller any more, but its worker may finish it until this instant.
        case letFinish(JobID, until: MonotonicInstant)
        /// The pool sends `woken` at this instant, and not at the instant of an earlier `wake`. At this instant, a
        /// worker may be started, or the running jobs have become long.
        case wake(MonotonicInstant)
    }

    struct Running: Equatable {
        let job: JobID
        let terms: TranscodeTerms
        let attempts: Int
        let since: MonotonicInstant
        var isAbandoned = false
    }

    private enum WorkerState: Equatable {
        case idle
        case busy(Running)
        case dying
    }

    /// The time of a worker's start. A job that is expected to end sooner is not killed.
    private static let startCost = Duration.milliseconds(20)
    /// The maximum number of workers to which one job is assigned.
    private static let mostAttempts = 2
    /// The shortest time of a long job, such as the encoding of a video. All other jobs are short.
    private static let longJob = Duration.seconds(1)

    let size: Int
    let warmingSize: Int
    /// The workers that run only warming jobs.
    private var warmingWorkers: Set<WorkerID> = []
    private var workers: [WorkerID: WorkerState] = [:]
    /// The workers that have finished a job. If such a worker crashes, an earlier job's file may be the cause.
    private var experienced: Set<WorkerID> = []
    var queue = TranscodeQueue()
    private var starts: StartBudget
    private var lastWorker: WorkerID = 0
    private var wakesAt: MonotonicInstant?
    /// The reservations that are included in the estimated wait, the oldest first.
    var reservations: [(job: JobID, since: MonotonicInstant)] = []
    /// The current factor from a cost to a time.
    package var pace = 1.0

    /// Creates the state of a pool without workers.
    ///
    /// - Parameter size: The largest number of workers for notifications, without the additional worker for short jobs.
    /// - Parameter warmingSize: The largest number of workers for warming.
    package init(size: Int, warmingSize: Int = 1) {
        self.size = size
        self.warmingSize = warmingSize
        starts = StartBudget(size: size)
    }

    package func isForWarming(_ worker: WorkerID) -> Bool { warmingWorkers.contains(worker) }

    package var waitingCount: Int { queue.readyCount }

    /// Returns whether a worker is processing the job, so that its reply is accepted.
    package func isAt(_ job: JobID, _ worker: WorkerID) -> Bool { running(on: worker)?.job == job }

    package mutating func handle(_ event: Event, at now: MonotonicInstant) -> [Action] {
        switch event {
        case .submitted(let job, let terms):
            queue.insert(job, terms, isReady: true)
            return assign(at: now)
        case .abandoned(let job, let isFinal):
            return abandon(job, isFinal: isFinal, at: now)
        case .raised(let job, let rank):
            queue.raise(job, to: rank)
            return assign(at: now)
        case .replied(let worker, let job, let isSpent):
            // A reply of a worker that is being killed is ignored. If a reply is for another job than the worker's job,
            // the reply is also ignored, and the worker is killed.
            guard isAt(job, worker) else { return distrust(worker, at: now) }
            workers[worker] = isSpent ? .dying : .idle
            experienced.insert(worker)
            return [.finish(job, .replied)] + (isSpent ? [.kill(worker)] : []) + assign(at: now)
        case .distrusted(let worker):
            return distrust(worker, at: now)
        case .withdrawn(let job, let worker):
            guard isAt(job, worker) else { return [] }
            workers[worker] = .idle
            return assign(at: now)
        case .ended(let worker, let end):
            return ended(worker, end, at: now)
        case .startFailed(let worker):
            guard let state = forget(worker) else { return [] }
            guard case .busy(let running) = state else { return assign(at: now) }
            return [.finish(running.job, .cannotStart)] + assign(at: now)
        case .woken:
            wakesAt = nil
            return assign(at: now)
        case .shutDown:
            return shutDown()
        }
    }

    /// Finishes all jobs. A waiting job is not given to a worker that becomes idle.
    private mutating func shutDown() -> [Action] {
        var actions: [Action] = queue.removeReady().map { .finish($0, .abandoned) }
        for worker in workers.keys {
            if let job = running(on: worker)?.job { actions += [.finish(job, .abandoned), .kill(worker)] }
            workers[worker] = .dying
        }
        return actions
    }

    private mutating func forget(_ worker: WorkerID) -> WorkerState? {
        warmingWorkers.remove(worker)
        experienced.remove(worker)
        return workers.removeValue(forKey: worker)
    }

    private func running(on worker: WorkerID) -> Running? {
        if case .busy(let running)? = workers[worker] { running } else { nil }
    }

    private mutating func abandon(_ job: JobID, isFinal: Bool, at now: MonotonicInstant) -> [Action] {
        if queue.contains(job) {
            queue.remove(job)
            return [.finish(job, .abandoned)]
        }
        for case (let worker, .busy(var running)) in workers where running.job == job {
            if !isFinal, !running.isAbandoned, isAboutToEnd(running, at: now) {
                running.isAbandoned = true
                workers[worker] = .busy(running)
                return [.letFinish(job, until: now + Self.startCost * 2)]
            }
            // A cancellation and a deadline may follow each other. Only the end of the grace time is final.
            guard isFinal || !running.isAbandoned else { return [] }
            workers[worker] = .dying
            return [.finish(job, .abandoned), .kill(worker)] + assign(at: now)
        }
        return []
    }

    private func isAboutToEnd(_ running: Running, at now: MonotonicInstant) -> Bool {
        guard running.terms.cost > 0 else { return false }
        let left = time(of: running.terms.cost) - running.since.duration(to: now)
        return left <= Self.startCost && left > .zero - Self.startCost
    }

    /// Kills a worker that sent an unexpected message, so that it gets no other job.
    private mutating func distrust(_ worker: WorkerID, at now: MonotonicInstant) -> [Action] {
        switch workers[worker] {
        case .dying, nil: return []
        case .idle:
            workers[worker] = .dying
            return [.kill(worker)]
        case .busy(let running):
            workers[worker] = .dying
            let finish = Finish.crashed(nil, blamesFile: !experienced.contains(worker))
            return [.finish(running.job, finish), .kill(worker)] + assign(at: now)
        }
    }

    /// Handles the end of a worker. The worker's job is tried once more, unless the worker crashed before it had
    /// finished a job. In that case the next worker would crash in the same way. If the worker has finished other jobs,
    /// their files may have caused the crash.
    private mutating func ended(_ worker: WorkerID, _ end: ProcessEnd?, at now: MonotonicInstant) -> [Action] {
        let isExperienced = experienced.contains(worker)
        guard let state = forget(worker) else { return [] }
        guard case .busy(let running) = state else { return assign(at: now) }
        let isFault = end?.isFault ?? true
        let isRetry = running.attempts + 1 >= Self.mostAttempts
        if end == nil || isRetry || isFault && !isExperienced || running.isAbandoned {
            let blamesFile = isFault && (isRetry || !isExperienced)
            return [.finish(running.job, .crashed(end, blamesFile: blamesFile))] + assign(at: now)
        }
        queue.insert(running.job, running.terms, isReady: true, attempts: running.attempts + 1)
        return assign(at: now)
    }

    private mutating func assign(at now: MonotonicInstant) -> [Action] {
        assign(isWarming: false, at: now) + assign(isWarming: true, at: now)
    }

    private mutating func assign(isWarming: Bool, at now: MonotonicInstant) -> [Action] {
        var actions: [Action] = []
        let pace = pace
        while true {
            let busy = running(isWarming: isWarming)
            let onlyShortJobs = !isWarming && busy.count(where: { isLong($0, at: now) }) >= size
            let isEligible: ((TranscodeTerms) -> Bool)? = onlyShortJobs ? { Self.isShort($0, now, pace) } : nil
            guard queue.hasReady(isWarming: isWarming, where: isEligible) else {
                if onlyShortJobs, busy.count == size,
                    let instant = queue.earliestOfReady({ Self.becomesShort($0, pace) }), instant > now
                {
                    wake(at: instant, &actions)
                }
                break
            }
            let own = workers.filter { warmingWorkers.contains($0.key) == isWarming }
            let idle = own.filter { $0.value == .idle }.keys.min()
            let most = isWarming ? warmingSize : onlyShortJobs ? size + 1 : size
            guard busy.count < most, idle != nil || own.count < most else {
                // At the instant of the wake, all workers may be running long jobs.
                if !isWarming, busy.count == size,
                    let latest = busy.filter({ !isLong($0, at: now) }).map(\.since).max(),
                    queue.hasReady(where: { Self.isShort($0, now, pace) })
                {
                    wake(at: latest + Self.longJob, &actions)
                }
                break
            }
            if idle == nil, let instant = starts.wait(at: now) {
                wake(at: instant, &actions)
                break
            }
            guard
                let next = queue.takeNext(
                    isWarming: isWarming, where: isEligible, counting: { $0.possibleCost(from: now, at: pace) })
            else { break }
            guard canEnd(next, at: now) else {
                actions.append(.finish(next.job, .overloaded))
                continue
            }
            let worker = idle ?? startedWorker(isForWarming: isWarming, &actions)
            workers[worker] = .busy(Running(job: next.job, terms: next.terms, attempts: next.attempts, since: now))
            actions.append(.send(next.job, worker))
        }
        return actions
    }

    private mutating func wake(at instant: MonotonicInstant, _ actions: inout [Action]) {
        if let wakesAt, wakesAt <= instant { return }
        wakesAt = instant
        actions.append(.wake(instant))
    }

    func running(isWarming: Bool) -> [Running] {
        workers.keys.compactMap { warmingWorkers.contains($0) == isWarming ? running(on: $0) : nil }
    }

    /// Returns whether a job is long. A job of unknown cost is long after it has run for the time of a long job.
    func isLong(_ running: Running, at now: MonotonicInstant) -> Bool {
        let whole = time(of: running.terms.possibleCost(from: running.since, at: pace))
        return max(whole, running.since.duration(to: now)) >= Self.longJob
    }

    /// Returns whether a job that starts now is short.
    ///
    /// - Parameter now: The start of the job.
    /// - Parameter pace: The factor from a cost to a time.
    static func isShort(_ terms: TranscodeTerms, _ now: MonotonicInstant, _ pace: Double) -> Bool {
        !terms.mayBeLong && terms.possibleCost(from: now, at: pace) * pace < longJob.seconds * 1e6
    }

    /// Returns the instant from which a waiting long job is short, one millisecond after the exact instant. At that
    /// instant, a video without enough time is replaced by its still image.
    ///
    /// - Returns: `nil` if the job may stay long.
    private static func becomesShort(_ terms: TranscodeTerms, _ pace: Double) -> MonotonicInstant? {
        guard !terms.mayBeLong else { return nil }
        let isShortAsStill = terms.hasStill && time(of: terms.leastCost, at: pace) < longJob
        let left = isShortAsStill ? time(of: terms.cost, at: pace) : longJob
        return terms.deadline - left + .milliseconds(1)
    }

    /// Returns whether a rendition can be made in time. A pool without other work tries a job once even if there is no
    /// time. The attempt delays no other job, and it corrects a wrong estimate.
    private func canEnd(_ next: TranscodeQueue.Next, at now: MonotonicInstant) -> Bool {
        if now + time(of: next.terms.neededCost) < next.terms.deadline { return true }
        return next.attempts == 0 && !queue.hasReady(isWarming: false) && running(isWarming: false).isEmpty
    }

    private mutating func startedWorker(isForWarming: Bool, _ actions: inout [Action]) -> WorkerID {
        lastWorker += 1
        if isForWarming { warmingWorkers.insert(lastWorker) }
        starts.take()
        actions.append(.start(lastWorker))
        return lastWorker
    }

    func time(of cost: Double) -> Duration { Self.time(of: cost, at: pace) }

    private static func time(of cost: Double, at pace: Double) -> Duration {
        .microseconds(Int64(min(cost * pace, 1e15)))
    }
}
