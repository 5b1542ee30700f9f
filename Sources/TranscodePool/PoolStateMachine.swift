package typealias JobID = UInt32
package typealias WorkerID = UInt32

/// Which worker is at which job: pure, without processes or clocks.
///
/// Events come in, actions go out, in the order in which they are to be done. Whatever races (a reply against a cancel,
/// a crash against a kill, a job against a worker's start), each job is finished exactly once, and a worker that was
/// told to die gets no other job. Workers are started when a job waits and none is free, up to `size`; one that ends is
/// replaced only while jobs wait, so workers that crash at their start cost one job each and no more.
package struct PoolStateMachine: ~Copyable {
    package enum Event: Equatable {
        case submitted(JobID)
        /// The caller's cancel or its deadline.
        case abandoned(JobID)
        case replied(WorkerID, JobID)
        /// The process is gone, for whatever reason.
        case ended(WorkerID)
        case startFailed(WorkerID)
    }

    package enum Finish: Equatable {
        case replied
        case abandoned
        case crashed
        case cannotStart
    }

    package enum Action: Equatable {
        case start(WorkerID)
        case send(JobID, WorkerID)
        case finish(JobID, Finish)
        case kill(WorkerID)
    }

    private enum WorkerState: Equatable {
        case idle
        case busy(JobID)
        case dying
    }

    private let size: Int
    private var workers: [WorkerID: WorkerState] = [:]
    private var waiting: [JobID] = []
    private var lastWorker: WorkerID = 0

    package init(size: Int) { self.size = size }

    package var waitingCount: Int { waiting.count }

    /// Whether a worker's words about a job are to be heard.
    package func isAt(_ job: JobID, _ worker: WorkerID) -> Bool { workers[worker] == .busy(job) }

    package mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .submitted(let job):
            waiting.append(job)
            return assign()
        case .abandoned(let job):
            return abandon(job)
        case .replied(let worker, let job):
            // Late words of a worker that is being killed, or about another job than its own, are nobody's.
            guard workers[worker] == .busy(job) else { return workers[worker] == nil ? [] : distrust(worker) }
            workers[worker] = .idle
            return [.finish(job, .replied)] + assign()
        case .ended(let worker):
            return end(worker, .crashed)
        case .startFailed(let worker):
            return end(worker, .cannotStart)
        }
    }

    private mutating func abandon(_ job: JobID) -> [Action] {
        if let place = waiting.firstIndex(of: job) {
            waiting.remove(at: place)
            return [.finish(job, .abandoned)]
        }
        guard let worker = workers.first(where: { $0.value == .busy(job) })?.key else { return [] }
        workers[worker] = .dying
        return [.finish(job, .abandoned), .kill(worker)]
    }

    /// A worker that speaks out of turn is not asked again.
    private mutating func distrust(_ worker: WorkerID) -> [Action] {
        let state = workers.updateValue(.dying, forKey: worker)
        switch state {
        case .busy(let job): return [.finish(job, .crashed), .kill(worker)]
        case .idle: return [.kill(worker)]
        case .dying, nil: return []
        }
    }

    private mutating func end(_ worker: WorkerID, _ why: Finish) -> [Action] {
        guard let state = workers.removeValue(forKey: worker) else { return [] }
        if case .busy(let job) = state { return [.finish(job, why)] + assign() }
        return assign()
    }

    private mutating func assign() -> [Action] {
        var actions: [Action] = []
        while !waiting.isEmpty {
            if let idle = workers.filter({ $0.value == .idle }).keys.min() {
                actions += give(to: idle)
            } else if workers.count < size {
                lastWorker += 1
                actions.append(.start(lastWorker))
                actions += give(to: lastWorker)
            } else {
                break
            }
        }
        return actions
    }

    private mutating func give(to worker: WorkerID) -> [Action] {
        let job = waiting.removeFirst()
        workers[worker] = .busy(job)
        return [.send(job, worker)]
    }
}
