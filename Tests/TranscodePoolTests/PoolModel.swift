import Base
import Glibc
import LinuxIO
import NotificationModel

@testable import TranscodePool

/// A model of the pool around its state machine. It performs the actions and records violations of the rules.
struct PoolModel: ~Copyable {
    enum Sight: Equatable {
        case waiting
        case sent(WorkerID)
        case finished(PoolStateMachine.Finish)
    }

    private var machine: PoolStateMachine
    private let size: Int
    /// The jobs that take 15 minutes.
    private var longJobs: Set<JobID> = []
    /// All jobs that were submitted.
    private(set) var jobs: [JobID: Sight] = [:]
    /// The workers between their start and their end.
    private(set) var living: Set<WorkerID> = []
    private(set) var dying: Set<WorkerID> = []
    private var started: Set<WorkerID> = []
    private var retried: Set<JobID> = []
    /// The workers that have finished a job.
    private var experienced: Set<WorkerID> = []
    private(set) var violations: [String] = []
    /// The current time. Each event advances it by half a second, so that workers may be started again.
    private var now = MonotonicInstant.now
    /// The largest permitted number of workers. It is one more than `size` after all workers ran long jobs.
    private var maxLiving: Int
    /// The time at which each job was sent.
    private var sentAt: [JobID: MonotonicInstant] = [:]
    /// The requested wake; `nil` if no wake is requested.
    private var wake: MonotonicInstant?

    init(size: Int) {
        self.size = size
        maxLiving = size
        machine = PoolStateMachine(size: size)
    }

    var waitingCount: Int { machine.waitingCount }
    var unfinished: [JobID] {
        jobs.filter { entry in if case .finished = entry.value { false } else { true } }.keys.sorted()
    }

    func job(of worker: WorkerID) -> JobID? { jobs.first { $0.value == .sent(worker) }?.key }

    mutating func submit(_ job: JobID, isLong: Bool = false) {
        jobs[job] = .waiting
        if isLong { longJobs.insert(job) }
        handle(.submitted(job, .test(deadline: now + .seconds(3_600), time: isLong ? 900e6 : 0)))
    }

    /// Ends a worker. A fault of a new worker is not tried again.
    ///
    /// - Parameter end: The way in which the process ends.
    mutating func end(_ worker: WorkerID, startFailed: Bool = false, by end: ProcessEnd = .signalled(SIGSEGV)) {
        if let job = job(of: worker), !startFailed, !retried.contains(job),
            !end.isFault || experienced.contains(worker)
        {
            retried.insert(job)
            jobs[job] = .waiting
        }
        living.remove(worker)
        dying.remove(worker)
        experienced.remove(worker)
        handle(startFailed ? .startFailed(worker) : .ended(worker, end))
    }

    mutating func handle(_ event: PoolStateMachine.Event) {
        if case .replied(let worker, let job, _) = event, jobs[job] == .sent(worker) { experienced.insert(worker) }
        step(event)
        let next = now + .milliseconds(500)
        while let instant = wake, instant <= next {
            wake = nil
            now = instant
            step(.woken)
        }
        now = next
    }

    /// Passes an event to the machine, performs its actions, and checks the rules.
    private mutating func step(_ event: PoolStateMachine.Event) {
        for action in machine.handle(event, at: now) { perform(action, after: event) }
        let waiting = jobs.values.count { $0 == .waiting }
        if waiting != machine.waitingCount { violations.append("\(waiting) jobs wait, not \(machine.waitingCount)") }
        checkWaiting(after: event)
    }

    /// Checks that jobs wait only while `size` workers are busy. If these workers run long jobs, short jobs may wait
    /// only for one additional worker.
    private mutating func checkWaiting(after event: PoolStateMachine.Event) {
        let running = living.compactMap { job(of: $0) }
        let knownLong = running.filter { longJobs.contains($0) }
        if knownLong.count > size { violations.append("the long jobs \(knownLong) run after \(event)") }
        let longCount = running.count { job in
            longJobs.contains(job) || (sentAt[job] ?? now) + .seconds(1) <= now
        }
        let isForShortJobs = longCount >= size
        let most = isForShortJobs ? size + 1 : size
        if isForShortJobs { maxLiving = size + 1 }
        if living.count > maxLiving { violations.append("\(living.count) workers live after \(event)") }
        let isIdle = living.contains { worker in job(of: worker) == nil && !dying.contains(worker) }
        let waits = jobs.contains { $1 == .waiting && !(isForShortJobs && longJobs.contains($0)) }
        if waits, running.count < most, isIdle || living.count < most {
            violations.append("a job waits for nothing after \(event)")
        }
    }

    private mutating func perform(_ action: PoolStateMachine.Action, after event: PoolStateMachine.Event) {
        switch action {
        case .start(let worker, _):
            if !started.insert(worker).inserted { violations.append("\(worker) is started again after \(event)") }
            living.insert(worker)
        case .send(let job, let worker):
            if jobs[job] != .waiting { violations.append("\(job) does not wait, but is sent after \(event)") }
            if !living.contains(worker) { violations.append("\(job) is sent to an ended worker after \(event)") }
            if dying.contains(worker) { violations.append("\(job) is sent to a dying worker after \(event)") }
            if self.job(of: worker) != nil { violations.append("\(worker) gets a second job after \(event)") }
            jobs[job] = .sent(worker)
            sentAt[job] = now
        case .finish(let job, let why):
            if case .finished? = jobs[job] { violations.append("\(job) is finished twice after \(event)") }
            if jobs[job] == nil { violations.append("\(job) is finished and was none after \(event)") }
            if case .crashed(_, blamesFile: true) = why, case .sent(let worker)? = jobs[job],
                experienced.contains(worker), !retried.contains(job)
            {
                violations.append("\(job) is blamed for what another's file may have done, after \(event)")
            }
            jobs[job] = .finished(why)
        case .kill(let worker):
            if !living.contains(worker) { violations.append("\(worker) is killed and does not live after \(event)") }
            if !dying.insert(worker).inserted { violations.append("\(worker) is killed twice after \(event)") }
        case .wake(let instant):
            if instant <= now || wake != nil { violations.append("a wrong wake after \(event)") }
            wake = instant
        }
    }
}

extension TranscodeTerms {
    static func test(
        priority: Int = 10, _ group: AppGroupName = .default, host: String = "a.example", deadline: MonotonicInstant,
        time: Double = 0, minTime: Double = 0
    ) -> TranscodeTerms {
        TranscodeTerms(
            flow: TranscodeFlow(priority: priority, group: group, host: host), deadline: deadline, time: time,
            minTime: minTime)
    }
}
