import Glibc
import LinuxIO
import NotificationModel
import TranscodePool

/// The world around a pool's state machine: does its actions, and notes what must never happen.
struct PoolModel: ~Copyable {
    enum Sight: Equatable {
        case waiting
        case sent(WorkerID)
        case finished(PoolStateMachine.Finish)
    }

    private var machine: PoolStateMachine
    private let size: Int
    /// Every job ever submitted.
    private(set) var jobs: [JobID: Sight] = [:]
    /// Workers between their start and their end.
    private(set) var living: Set<WorkerID> = []
    private(set) var dying: Set<WorkerID> = []
    private var started: Set<WorkerID> = []
    private var retried: Set<JobID> = []
    /// The workers that have ended a job.
    private var experienced: Set<WorkerID> = []
    private(set) var violations: [String] = []
    /// Half a second goes by with each event, so that workers may be started again.
    private var now = MonotonicInstant.now

    init(size: Int) {
        self.size = size
        machine = PoolStateMachine(size: size)
    }

    var waitingCount: Int { machine.waitingCount }
    var unfinished: [JobID] {
        jobs.filter { entry in if case .finished = entry.value { false } else { true } }.keys.sorted()
    }

    func job(of worker: WorkerID) -> JobID? { jobs.first { $0.value == .sent(worker) }?.key }

    mutating func submit(_ job: JobID) {
        jobs[job] = .waiting
        handle(.submitted(job, .test(deadline: now + .seconds(3_600))))
    }

    /// - Parameter end: a fault of a new worker's is not tried again.
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

    /// The worker's job is not given to it after all.
    mutating func withdraw(from worker: WorkerID) {
        guard let job = job(of: worker) else { return }
        jobs[job] = .finished(.abandoned)
        handle(.withdrawn(job, worker))
    }

    mutating func handle(_ event: PoolStateMachine.Event) {
        now = now + .milliseconds(500)
        if case .replied(let worker, let job, _) = event, jobs[job] == .sent(worker) { experienced.insert(worker) }
        for action in machine.handle(event, at: now) { perform(action, after: event) }
        if living.count > size { violations.append("\(living.count) workers live after \(event)") }
        let waiting = jobs.values.count { $0 == .waiting }
        if waiting != machine.waitingCount { violations.append("\(waiting) jobs wait, not \(machine.waitingCount)") }
        let isIdle = living.contains { worker in job(of: worker) == nil && !dying.contains(worker) }
        if waiting > 0, isIdle || living.count < size { violations.append("a job waits for nothing after \(event)") }
    }

    private mutating func perform(_ action: PoolStateMachine.Action, after event: PoolStateMachine.Event) {
        switch action {
        case .start(let worker):
            if !started.insert(worker).inserted { violations.append("\(worker) is started again after \(event)") }
            living.insert(worker)
        case .send(let job, let worker):
            if jobs[job] != .waiting { violations.append("\(job) does not wait, but is sent after \(event)") }
            if !living.contains(worker) { violations.append("\(job) is sent to an ended worker after \(event)") }
            if dying.contains(worker) { violations.append("\(job) is sent to a dying worker after \(event)") }
            if self.job(of: worker) != nil { violations.append("\(worker) gets a second job after \(event)") }
            jobs[job] = .sent(worker)
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
        case .letFinish(let job, _): violations.append("\(job) is let finish without an estimate after \(event)")
        case .wake: violations.append("a start is put off after \(event)")
        }
    }
}

extension TranscodeTerms {
    static func test(
        priority: Int = 10, _ group: AppGroupName = .default, host: String = "a.example", deadline: MonotonicInstant,
        cost: Double = 0, leastCost: Double = 0
    ) -> TranscodeTerms {
        TranscodeTerms(
            flow: TranscodeFlow(priority: priority, group: group, host: host), deadline: deadline, cost: cost,
            leastCost: leastCost)
    }
}
