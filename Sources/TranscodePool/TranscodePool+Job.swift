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
        let outputs: [MediaFile]
        let deadline: MonotonicInstant
        let storing: Duration
        let trace: StageTrace
        let continuation: CheckedContinuation<Result<RenditionSet, MediaFailure>, Never>
        var timer: EventLoop.TimerID
        var sent: MonotonicInstant?
        var worker: WorkerID?
        /// Why it is abandoned, when it is.
        var failure: MediaFailure?
        /// What its worker's reply came to.
        var result: Result<RenditionSet, MediaFailure>?
        var stages: [TranscodeStage] = []
        var isLate = false
    }

    /// A process at one of the pool's places.
    final class Worker {
        var process: WorkerProcess
        /// Its start is over.
        var hasReplied = false
        var isKilled = false
        init(_ process: consuming WorkerProcess) { self.process = process }
    }
}
