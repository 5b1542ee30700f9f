package import LinuxIO
package import NotificationModel

package typealias JobID = UInt32
package typealias WorkerID = UInt32

/// Which worker is at which job: pure, without processes or clocks.
///
/// Events come in, actions go out, in the order in which they are to be done. Whatever races (a reply against a cancel,
/// a crash against a kill, a job against a worker's start), each job is finished exactly once, and a worker that was
/// told to die gets no other job. Workers are started when a job waits and none is free, up to `size`; one that ends is
/// replaced only while jobs wait, and no more often than `StartBudget` allows. `TranscodeQueue` has the order of the jobs.
/// A job is started only when a worker can still make something of it before its deadline. When `size` workers are at long
/// jobs, one more worker runs the short ones, so that images do not wait for the encoding of films. Warming has workers of
/// its own, `warmingSize` of them, so that no notification waits for one.
package struct PoolStateMachine: ~Copyable {
    package enum Event: Equatable {
        /// The job's medium is there. A reservation of the same number becomes the job.
        case submitted(JobID, TranscodeTerms)
        /// The caller's cancel or its deadline. A worker that is about to end the job may do so, unless it is final.
        case abandoned(JobID, isFinal: Bool)
        /// Somebody of a rank waits for the job, too.
        case raised(JobID, Int)
        /// `isSpent`: the worker gets no other job.
        case replied(WorkerID, JobID, isSpent: Bool = false)
        /// The worker reports what no honest worker does. It is at no job.
        case distrusted(WorkerID)
        /// The job was not given to the worker after all, and is nobody's.
        case withdrawn(JobID, WorkerID)
        /// The process is gone. `nil`: the pool itself has killed it.
        case ended(WorkerID, ProcessEnd?)
        case startFailed(WorkerID)
        /// The instant of a `wake` has come.
        case woken
        /// All jobs end now, and no worker gets another one.
        case shutDown
    }

    package enum Finish: Equatable {
        case replied
        case abandoned
        /// `blamesFile`: the worker ended by the job's own file, as far as can be known.
        case crashed(ProcessEnd?, blamesFile: Bool)
        case cannotStart
        /// No worker had time for it.
        case overloaded
    }

    package enum Action: Equatable {
        case start(WorkerID)
        case send(JobID, WorkerID)
        case finish(JobID, Finish)
        case kill(WorkerID)
        /// The job is nobody's any more, and its worker may still end it until then.
        case letFinish(JobID, until: MonotonicInstant)
        /// `woken` is to be sent then, and not at the instant of an earlier `wake`: a worker may be started, or the running
        /// jobs have become long.
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

    /// The cost of a worker's start. Work that is expected to end sooner is not killed.
    private static let startCost = Duration.milliseconds(20)
    /// A job is given to no more workers than this.
    private static let mostAttempts = 2
    /// Least time of a long job, such as the encoding of a film. All other jobs are short.
    private static let longJob = Duration.seconds(1)

    private let size: Int
    private let warmingSize: Int
    /// The workers that warm, and do nothing else.
    private var warmingWorkers: Set<WorkerID> = []
    private var workers: [WorkerID: WorkerState] = [:]
    /// The workers that have ended a job. A fault of theirs may come from an earlier job's file.
    private var experienced: Set<WorkerID> = []
    private var queue = TranscodeQueue()
    private var starts: StartBudget
    private var lastWorker: WorkerID = 0
    private var wakesAt: MonotonicInstant?
    /// The reservations that count as coming work, oldest first.
    private var reservations: [(job: JobID, since: MonotonicInstant)] = []
    /// Time over cost, as it is now.
    package var pace = 1.0

    /// - Parameters:
    ///   - size: the most workers for notifications, without the one for short jobs.
    ///   - warmingSize: the most workers for warming.
    package init(size: Int, warmingSize: Int = 1) {
        self.size = size
        self.warmingSize = warmingSize
        starts = StartBudget(size: size)
    }

    package func isForWarming(_ worker: WorkerID) -> Bool { warmingWorkers.contains(worker) }

    package var waitingCount: Int { queue.readyCount }

    /// Whether a worker's words about a job are to be heard.
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
            // Late words of a worker that is being killed, or about another job than its own, are nobody's.
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

    /// No job that waits is given to a worker that becomes free.
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
            // A cancel and a deadline may come after each other; only the end of the grace is final.
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

    /// A worker that speaks out of turn is not asked again.
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

    /// A job is tried once more, but not after a fault of a new worker: the next one would end in the same way. A fault of a
    /// worker that has ended other jobs may be the work of their files.
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
                // By then the workers may be at long jobs only.
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

    private func running(isWarming: Bool) -> [Running] {
        workers.keys.compactMap { warmingWorkers.contains($0) == isWarming ? running(on: $0) : nil }
    }

    /// A job of unknown cost is long when it has taken so long.
    private func isLong(_ running: Running, at now: MonotonicInstant) -> Bool {
        let whole = time(of: running.terms.possibleCost(from: running.since, at: pace))
        return max(whole, running.since.duration(to: now)) >= Self.longJob
    }

    /// - Parameters:
    ///   - now: the start of the job.
    ///   - pace: time over cost.
    private static func isShort(_ terms: TranscodeTerms, _ now: MonotonicInstant, _ pace: Double) -> Bool {
        !terms.mayBeLong && terms.possibleCost(from: now, at: pace) * pace < longJob.seconds * 1e6
    }

    /// Returns the instant from which a long job that waits is short, a millisecond after the exact one. A video that has no
    /// time left becomes its still then. `nil`: the job may be long whatever happens.
    private static func becomesShort(_ terms: TranscodeTerms, _ pace: Double) -> MonotonicInstant? {
        guard !terms.mayBeLong else { return nil }
        let isShortAsStill = terms.hasStill && time(of: terms.leastCost, at: pace) < longJob
        let left = isShortAsStill ? time(of: terms.cost, at: pace) : longJob
        return terms.deadline - left + .milliseconds(1)
    }

    /// Whether something can be made of a job in time. A pool without other work tries a job once: nothing is lost by that,
    /// and an estimate that has become wrong is corrected.
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

    private func time(of cost: Double) -> Duration { Self.time(of: cost, at: pace) }

    private static func time(of cost: Double, at pace: Double) -> Duration {
        .microseconds(Int64(min(cost * pace, 1e15)))
    }
}

// MARK: Admission

extension PoolStateMachine {
    /// Factor of a job's estimated wait, for what the estimates miss: they are means.
    private static var slack: Double { 1.25 }
    /// A medium whose download takes longer is no coming work any more: origins that stall would keep others from an idle
    /// pool.
    private static var longestDownload: Duration { .seconds(5) }

    /// Whether a job that is submitted now could be made in time; its place is reserved then.
    ///
    /// A job is refused for its wait, and never for its own cost: a worker makes less of a job that takes too long. So an
    /// idle pool refuses nothing, and the next jobs correct an estimate that has become wrong. A video needs time for its
    /// still only. A picture needs time for its whole cost, or half of its time: else most pictures would be made smaller
    /// under overload.
    package mutating func admit(_ job: JobID, _ terms: TranscodeTerms, at now: MonotonicInstant) -> Bool {
        guard wouldAdmit(terms, at: now) else { return false }
        queue.insert(job, terms, isReady: false)
        reservations.append((job, now))
        return true
    }

    /// Whether a job that is submitted now could be made in time. Nothing is reserved.
    package mutating func wouldAdmit(_ terms: TranscodeTerms, at now: MonotonicInstant) -> Bool {
        let time = now.duration(to: terms.deadline)
        guard time > .zero else { return false }
        discountReservations(at: now)
        let wait = wait(for: terms, at: now)
        return wait == .zero || wait * Self.slack + ownTime(of: terms, within: time) <= time
    }

    private func ownTime(of terms: TranscodeTerms, within time: Duration) -> Duration {
        guard terms.neededCost > 0 else { return .zero }
        return terms.hasStill ? self.time(of: terms.leastCost) : min(self.time(of: terms.cost), time / 2)
    }

    private mutating func discountReservations(at now: MonotonicInstant) {
        let old = reservations.prefix { $0.since + Self.longestDownload <= now }
        for reservation in old { queue.discount(reservation.job) }
        reservations.removeFirst(old.count)
    }

    package func isReserved(_ job: JobID) -> Bool { queue.isReserved(job) }

    /// Gives back a place whose job never came. The place of a submitted job stays.
    package mutating func release(_ job: JobID) { if queue.isReserved(job) { queue.remove(job) } }

    /// Returns how long a job waits that is submitted now. Each job ahead of it counts with the cost that this job can have
    /// until its own deadline.
    package func wait(for terms: TranscodeTerms, at now: MonotonicInstant) -> Duration {
        let pace = pace
        let isWarming = terms.flow.priority <= MediaRank.warming
        let ahead = queue.costAhead(of: terms) { $0.possibleCost(from: now, at: pace) }
        let most = isWarming ? warmingSize : size
        let running = running(isWarming: isWarming)
        if ahead == 0, running.count < most { return .zero }
        let wait = (time(of: ahead) + timeLeft(of: running, at: now)) / most
        guard !isWarming, Self.isShort(terms, now, pace) else { return wait }
        return min(wait, waitOfShortJob(terms, running, at: now) ?? wait)
    }

    /// Returns the wait for the workers that are not at long jobs; `nil` if even the one more worker is at a long job.
    private func waitOfShortJob(
        _ terms: TranscodeTerms, _ running: [Running], at now: MonotonicInstant
    ) -> Duration? {
        let pace = pace
        let short = running.filter { !isLong($0, at: now) }
        let longCount = running.count - short.count
        guard longCount <= size else { return nil }
        let ahead = queue.costAhead(of: terms) { terms in
            Self.isShort(terms, now, pace) ? terms.possibleCost(from: now, at: pace) : 0
        }
        return (time(of: ahead) + timeLeft(of: short, at: now)) / max(1, size - longCount)
    }

    private func timeLeft(of jobs: [Running], at now: MonotonicInstant) -> Duration {
        jobs.reduce(.zero) { $0 + max(.zero, timeLeft(of: $1, at: now)) }
    }

    private func timeLeft(of running: Running, at now: MonotonicInstant) -> Duration {
        let whole = time(of: running.terms.possibleCost(from: running.since, at: pace))
        return min(whole - running.since.duration(to: now), now.duration(to: running.terms.deadline))
    }
}
