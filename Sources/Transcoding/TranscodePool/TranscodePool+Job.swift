import Base
import LinuxIO
import NotificationModel
import TranscodeProtocol

/// The jobs of the pool: their replies, results and costs.
extension TranscodePool {
    /// A job that waits or runs, with its caller.
    struct Job {
        let request: TranscodeRequest
        let check: RenditionCheck
        let host: String
        let waiter: Waiter<JobEnd?>
        var timer: EventLoop.TimerID
        var sent: MonotonicInstant?
        var worker: WorkerID?
        /// Whether the worker has finished other jobs. Otherwise, the time of the job includes the worker's start.
        var isWarm = false
        /// The reason why the job is abandoned; `nil` if it is not abandoned.
        var failure: MediaFailure?
        /// The disagreement of the worker's report with its files; `nil` if there is no disagreement.
        var disagreement: MediaFailure?
        /// The interim reply and its instant; `nil` before the interim reply.
        var stills: (reply: TranscodeReply, instant: MonotonicInstant)?
        /// The result of the worker's reply; `nil` before the reply.
        var result: Result<RenditionSet, MediaFailure>?
        var stages: [TranscodeStage] = []

        /// Returns the still images that the worker reported before the job failed, or the failure if there are no
        /// still images. The failure is `worker-crashed` if a report of the worker does not agree with its files,
        /// because such a worker's renditions are not shown.
        func result(without failure: MediaFailure) -> Result<RenditionSet, MediaFailure> {
            if let disagreement { return .failure(disagreement) }
            guard let stills, failure.reason != .cancelled else { return .failure(failure) }
            return Result { () throws(MediaFailure) in try check.stills(of: stills.reply, insteadOf: failure) }
        }
    }

    struct JobEnd {
        let result: Result<RenditionSet, MediaFailure>
        /// Whether the file crashed its worker, or made it send a wrong report.
        var blamesFile = false
    }

    func finish(_ id: JobID, _ why: PoolStateMachine.Finish) {
        guard let job = jobs.removeValue(forKey: id) else { return }
        loop.cancel(job.timer)
        let failure: MediaFailure
        var blamesFile = false
        switch why {
        case .replied:
            if !job.stages.isEmpty { job.request.trace.split(into: job.stages.map(Stage.init)) }
            return job.waiter.resume(returning: JobEnd(result: job.result ?? .failure(.crash)))
        case .abandoned:
            // A job without a failure may be blocked now, and is checked again.
            guard let reason = job.failure else { return job.waiter.resume(returning: nil) }
            learnOverrun(of: job)
            failure = reason
        case .overloaded:
            observer(.overloaded(isDownloaded: true))
            failure = .overloaded
        case .crashed(let end, let isOfFile): (failure, blamesFile) = (MediaFailure(crash: end), isOfFile)
        case .cannotStart:
            failure =
                isOfOtherBuild
                ? MediaFailure(otherBuild: program.path) : MediaFailure(cannotStart: program.path, startProblem)
        }
        job.waiter.resume(returning: JobEnd(result: job.result(without: failure), blamesFile: blamesFile))
    }

    // MARK: Replies

    /// Checks and stores the reply of the worker that runs the job.
    ///
    /// - Returns: `false` for a reply that no intact worker sends. Its report does not agree with the files, or it is a
    ///   second interim reply, or an interim reply to a job without a video.
    func accept(_ reply: TranscodeReply) -> Bool {
        guard let job = jobs[reply.id] else { return true }
        if reply.isInterim {
            guard job.stills == nil, job.check.source.isVideo, !job.check.source.isPart else { return false }
            // The still images are shown if the video is not finished in time, or if the worker fails.
            loop.cancel(job.timer)
            jobs[reply.id]?.stills = (reply, .now)
            jobs[reply.id]?.timer = schedule(at: job.request.deadline - job.request.storing) {
                $0.abandon(reply.id, .budgetExceeded)
            }
            return true
        }
        let result = result(of: reply, to: job)
        if case .failure(let failure) = result, failure.reason == .workerCrashed {
            jobs[reply.id]?.disagreement = failure
            return false
        }
        jobs[reply.id]?.result = result
        // The reported stages are shown only if they fit into the time that the worker had.
        let claimed = reply.stages.reduce(Duration.zero) { $0 + Stage($1).duration }
        if let sent = job.sent, claimed <= sent.duration(to: .now) {
            jobs[reply.id]?.stages = reply.stages
            if case .success = reply.result { learn(from: job, sent: sent, worked: claimed, reply.cost) }
        }
        return true
    }

    /// Returns the renditions of a reply. If the worker could not make the video, they are the still images of its
    /// interim reply. The failure is `worker-crashed` for a report that does not agree with its files.
    private func result(of reply: TranscodeReply, to job: Job) -> Result<RenditionSet, MediaFailure> {
        do throws(MediaFailure) { return .success(try job.check.renditions(of: reply)) } catch {
            return error.reason == .workerCrashed ? .failure(error) : job.result(without: error)
        }
    }

    // MARK: Costs

    /// Learns from a finished job.
    private func learn(from job: Job, sent: MonotonicInstant, worked: Duration, _ cost: TranscodeCost?) {
        scheduler.withLock { scheduler in
            scheduler.estimator.note(
                job.check.source, from: job.host, took: job.isWarm ? sent.microseconds(to: .now) : nil,
                worked: worked.milliseconds * 1_000, cost: cost,
                stillsTook: job.isWarm ? job.stills.map { sent.microseconds(to: $0.instant) } : nil)
        }
    }

    /// Learns from a job that was ended by its deadline, which took longer than expected.
    private func learnOverrun(of job: Job) {
        guard job.failure?.reason == .budgetExceeded, let sent = job.sent, job.isWarm else { return }
        let took = sent.microseconds(to: .now)
        scheduler.withLock { $0.estimator.noteOverrun(job.check.source, from: job.host, took: took) }
    }
}
