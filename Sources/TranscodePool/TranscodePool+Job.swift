import LinuxIO
import NotificationModel
import Primitives
import TranscodeProtocol

extension TranscodePool {
    /// A job that waits or runs, with its caller.
    struct Job {
        let message: TranscodeJob
        let source: SourceKind
        let measure: SourceMeasure
        let flow: TranscodeFlow
        let input: MediaFile
        let byteCount: Int
        /// The number of crashes at the time of the check that the file is not blocked.
        let crashCount: Int
        let outputs: [MediaFile]
        let deadline: MonotonicInstant
        let storing: Duration
        let trace: StageTrace
        let waiter: Waiter<JobEnd?>
        var timer: EventLoop.TimerID
        var sent: MonotonicInstant?
        var worker: WorkerID?
        /// The reason why the job is abandoned; `nil` if it is not abandoned.
        var failure: MediaFailure?
        /// The interim reply, which the worker sends before its reply; `nil` before the interim reply.
        var interim: TranscodeReply?
        /// The instant of the interim reply; `nil` if no interim reply was received.
        var stillsMade: MonotonicInstant?
        /// The result of the worker's reply; `nil` before the reply.
        var result: Result<RenditionSet, MediaFailure>?
        var stages: [TranscodeStage] = []
        var isLate = false

        /// The time from the sending of the job to the interim reply; `nil` if no interim reply was received.
        var stillsTook: Duration? { sent.flatMap { sent in stillsMade.map { sent.duration(to: $0) } } }

        func end(_ result: Result<RenditionSet, MediaFailure>, blamesFile: Bool = false) {
            waiter.resume(returning: JobEnd(result: result, blamesFile: blamesFile))
        }

        /// Returns the still images that the worker reported before the job failed, or the failure if there are no
        /// still images.
        ///
        /// - Returns: A failure with the reason `worker-crashed` if the still images do not agree with the report.
        func result(without failure: MediaFailure) -> Result<RenditionSet, MediaFailure> {
            guard let interim, failure.reason != .cancelled else { return .failure(failure) }
            return Result { () throws(MediaFailure) in
                try RenditionCheck.stills(
                    of: interim, to: message, outputs: outputs, source: source, insteadOf: failure)
            }
        }
    }

    struct JobEnd {
        let result: Result<RenditionSet, MediaFailure>
        /// Whether the file crashed its worker, or made it send a wrong report.
        var blamesFile = false
    }

    /// A worker process of the pool.
    final class Worker {
        var process: WorkerProcess
        /// Whether the worker has replied, so that its start is over.
        var hasReplied = false
        var isKilled = false
        /// The forbidden system call that the worker reported; `nil` if the worker reported no such call.
        var violation: WorkerViolation?
        var jobCount = 0
        /// Whether the worker gets no other job, although it has no fault.
        var isSpent = false
        init(_ process: consuming WorkerProcess) { self.process = process }
    }
}
