import NotificationModel
import Primitives
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

    /// Returns the terms of a job with its estimated time on this machine.
    ///
    /// - Parameter source: The downloaded media item; `nil` before the download.
    func terms(
        of flow: TranscodeFlow, until deadline: MonotonicInstant, source: TranscodeSource? = nil
    ) -> TranscodeTerms {
        let estimate =
            source.map { estimator.estimate(of: $0, from: flow.host) } ?? estimator.estimate(ofHost: flow.host)
        let pace = estimator.pace.factor
        return TranscodeTerms(
            flow: flow, deadline: deadline, time: estimate.ordered * pace, leastTime: estimate.least * pace)
    }

    /// Reserves a job for a media item that is to be downloaded.
    ///
    /// - Throws: `overloaded` if no worker would finish the job in time, or `worker-crashed` if the host is blocked.
    mutating func reserve(
        for flow: TranscodeFlow, until deadline: MonotonicInstant, at now: MonotonicInstant
    ) throws(MediaFailure) -> JobID {
        if let rest = crashes.rest(of: CrashHistory.Origin(flow), at: now) {
            throw .resting(flow.host, for: rest)
        }
        let job = nextJob()
        if let wait = machine.admit(job, terms(of: flow, until: deadline), at: now) {
            throw .overloaded(forAnother: wait)
        }
        return job
    }
}
