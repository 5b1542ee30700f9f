import Base
import NotificationModel

/// The reservation of a media item for a job in a pool. The job is reserved when the item's download begins, and the
/// reservation ends when the job is submitted. Serves `overload`: media that cannot be ready in time are not downloaded.
final class PoolReservation: TranscodeReservation {
    private enum Status {
        case possible
        case reserved(JobID)
        case refused(MediaFailure)
        /// The media item has ended, or needs no job. If the download continues for other items, nothing is reserved.
        case released
    }

    let flow: TranscodeFlow
    private let deadline: MonotonicInstant
    private let pool: TranscodePool
    private let state: Guarded<(rank: Int, status: Status)>

    /// - Parameter needsJob: `false` for a still image of a download that has begun, which takes little time.
    init(
        _ flow: TranscodeFlow, until deadline: MonotonicInstant, in pool: TranscodePool, needsJob: Bool = true
    ) {
        state = Guarded((flow.priority, needsJob ? .possible : .released))
        self.flow = flow
        self.deadline = deadline
        self.pool = pool
    }

    /// The reserved job; `nil` if no job is reserved.
    var job: JobID? { state.withLock { if case .reserved(let job) = $0.status { job } else { nil } } }

    var rank: Int { state.withLock { $0.rank } }

    func raise(to rank: Int) {
        let isHigher = state.withLock { state in
            defer { state.rank = max(rank, state.rank) }
            return rank > state.rank
        }
        if isHigher { pool.raise(self, to: rank) }
    }

    func reserve() throws(MediaFailure) {
        try state.withLock { state throws(MediaFailure) in
            switch state.status {
            case .reserved, .released: return
            case .refused(let failure): throw failure
            case .possible:
                do throws(MediaFailure) {
                    let job = try pool.scheduler.withLock { scheduler throws(MediaFailure) in
                        try scheduler.reserve(for: flow, until: deadline, at: .now)
                    }
                    state.status = .reserved(job)
                } catch {
                    state.status = .refused(error)
                    pool.observer(error.reason == .overloaded ? .overloaded(isDownloaded: false) : .rested)
                    throw error
                }
            }
        }
    }

    func release() {
        let job = state.withLock { state -> JobID? in
            defer { state.status = .released }
            return if case .reserved(let job) = state.status { job } else { nil }
        }
        if let job { pool.scheduler.withLock { $0.machine.release(job) } }
    }
}
