import Base
import NotificationModel
import TranscodeProtocol

/// The state machine of a pool and its estimates. A lock protects them, because admissions come from any thread.
struct PoolScheduler: ~Copyable {
    var machine: PoolStateMachine
    var estimator = TranscodeEstimator()
    var crashes = CrashHistory()
    private var lastJob: JobID = 0

    init(size: Int, warmingSize: Int = 1) { machine = PoolStateMachine(size: size, warmingSize: warmingSize) }

    mutating func nextJob() -> JobID {
        lastJob &+= 1
        return lastJob
    }

    /// Returns the terms of a job with its estimated time on this machine. `source` is `nil` before the download.
    func terms(
        of flow: TranscodeFlow, until deadline: MonotonicInstant, source: TranscodeSource? = nil
    ) -> TranscodeTerms {
        let host = flow.host
        let estimate = source.map { estimator.estimate(of: $0, from: host) } ?? estimator.estimate(ofHost: host)
        let pace = estimator.pace.factor
        return TranscodeTerms(
            flow: flow, deadline: deadline, time: estimate.ordered * pace, minTime: estimate.least * pace)
    }

    /// Reserves a job for a media item that is to be downloaded.
    ///
    /// - Throws: `overloaded` if no worker would finish the job in time, or `worker-crashed` if the host is blocked.
    mutating func reserve(
        for flow: TranscodeFlow, until deadline: MonotonicInstant, at now: MonotonicInstant
    ) throws(MediaFailure) -> JobID {
        if let cooldown = crashes.cooldown(of: CrashHistory.Origin(flow), at: now) {
            throw .resting(flow.host, for: cooldown)
        }
        let job = nextJob()
        if let wait = machine.admit(job, terms(of: flow, until: deadline), at: now) {
            throw .overloaded(forAnother: wait)
        }
        return job
    }
}

/// A limit for the starts of workers. The type has no side effects.
///
/// A start costs about 20 ms of a processor. Workers that crash at each job, or are killed at each deadline, must not
/// use all processors with their starts. Serves the threat model: media files that crash workers again and again.
struct StartBudget {
    /// The number of starts at one time, for each worker.
    private static let burst = 4
    /// The time between starts after the first `burst` starts, for each worker. They then take a fifth of a processor.
    private static let interval = Duration.milliseconds(100)

    private let size: Int
    /// The instant until which the starts so far use the budget; `nil` before the first start.
    private var usedUntil: MonotonicInstant?

    /// - Parameter size: The number of workers of the pool.
    init(size: Int) { self.size = max(1, size) }

    /// Uses one start of the budget, and returns whether a start is allowed now.
    mutating func take(at now: MonotonicInstant) -> Bool {
        let next = max(usedUntil ?? now, now) + Self.interval / size
        guard now.duration(to: next) <= Self.interval * Self.burst else { return false }
        usedUntil = next
        return true
    }
}
