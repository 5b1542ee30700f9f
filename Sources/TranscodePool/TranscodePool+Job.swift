import LinuxIO
import NotificationModel
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
        /// How many crashes there had been when the file was found not to rest.
        let crashCount: Int
        let outputs: [MediaFile]
        let deadline: MonotonicInstant
        let storing: Duration
        let trace: StageTrace
        let continuation: CheckedContinuation<JobEnd?, Never>
        var timer: EventLoop.TimerID
        var sent: MonotonicInstant?
        var worker: WorkerID?
        /// Why it is abandoned, when it is.
        var failure: MediaFailure?
        /// The reply that its worker has sent before the answer.
        var interim: TranscodeReply?
        /// The instant of that reply.
        var stillsMade: MonotonicInstant?
        /// The result of its worker's reply.
        var result: Result<RenditionSet, MediaFailure>?
        var stages: [TranscodeStage] = []
        var isLate = false

        /// The time from the sending to the interim reply; `nil` without one.
        var stillsTook: Duration? { sent.flatMap { sent in stillsMade.map { sent.duration(to: $0) } } }

        func end(_ result: Result<RenditionSet, MediaFailure>, blamesFile: Bool = false) {
            continuation.resume(returning: JobEnd(result: result, blamesFile: blamesFile))
        }

        /// The stills that its worker has reported before the job failed, if there are any.
        ///
        /// - Returns: a failure of the reason `worker-crashed` for stills that are not what the worker said.
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
        /// The file has crashed its worker, or has made it say what is not so.
        var blamesFile = false
    }

    /// A process at one of the pool's places.
    final class Worker {
        var process: WorkerProcess
        /// Its start is over.
        var hasReplied = false
        var isKilled = false
        /// The forbidden call that the worker reported.
        var violation: WorkerViolation?
        var jobCount = 0
        /// The worker gets no other job, though nothing is wrong with it.
        var isSpent = false
        init(_ process: consuming WorkerProcess) { self.process = process }
    }
}
