package import Base
package import LinuxIO
package import NotificationModel
package import Sandbox
package import TranscodeProtocol

/// A pool of worker processes that make renditions. No decoder runs in the process that has the network, the store and
/// the secrets.
///
/// The input is a fetched media item and the form that a profile asks for. The output is renditions in anonymous files,
/// or the reason why there are no renditions. The pool checks each file, because a report is not trusted.
///
/// The pool reads the first bytes of a media item to choose the worker's demuxer, and refuses unknown formats. The
/// worker examines everything else. The pool refuses media that are blocked after a crash, and jobs that no worker can
/// finish before their deadline.
///
/// A worker runs many jobs. A caller cancels a job with its task, and a timer cancels the job at its deadline. After a
/// cancellation, the pool kills the job's worker, because a decoder cannot be interrupted. The pool runs on one
/// thread. Only the reservations of media items that are not downloaded yet may be used on any thread.
///
/// `PoolStateMachine` decides, and this actor does: `TranscodePool+Workers.swift` has the processes,
/// `TranscodePool+Job.swift` has the jobs and their results.
///
/// The comments of the rules name the steps of `make chaos` that the rules serve, such as `overload`
/// (docs/operate/reliability.md), or the threat model (docs/operate/threat-model.md).
///
/// To add a new event, do this: write its case in `PoolStateMachine.Event`, and its decision in `handle(_:at:)` of the
/// machine. The decision returns actions, which `handle(_:)` in `TranscodePool+Workers.swift` performs. Then add the
/// event to those that `PoolStateMachineRandomPlainTests` sends.
package actor TranscodePool: MediaTranscoding {
    nonisolated let loop: EventLoop
    let program: WorkerProgram
    let options: WorkerOptions
    private let limits: DecodeLimits
    nonisolated let scheduler: Guarded<PoolScheduler>
    nonisolated let observer: @Sendable (PoolEvent) -> Void
    var workers: [WorkerID: Worker] = [:]
    var jobs: [JobID: Job] = [:]
    /// The error of the last failed start of a worker; `nil` if no start has failed.
    var startProblem: SystemError?
    /// Whether the last worker was of another build than this program.
    var isOfOtherBuild = false

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Creates a pool. No worker is started before the first job.
    ///
    /// - Parameter executable: The path of `appgroupd-transcode`.
    /// - Parameter options: The options of each worker.
    /// - Parameter size: The largest number of workers at a time, at least 1. One more runs short jobs while all of
    ///   them run long jobs.
    /// - Parameter warmingSize: The largest number of additional workers for warming. They have the lowest priority.
    /// - Parameter limits: The limits of a source.
    /// - Parameter thread: The thread of the pool, which other parts share; `nil` for a separate thread.
    /// - Parameter observer: A function that gets the pool's events, on any thread.
    package init(
        executable: String, options: WorkerOptions = WorkerOptions(), size: Int, warmingSize: Int = 1,
        limits: DecodeLimits = DecodeLimits(), on thread: EventLoop? = nil,
        observer: @escaping @Sendable (PoolEvent) -> Void = { _ in }
    ) throws(SystemError) {
        program = WorkerProgram(executable)
        self.options = options
        self.limits = limits
        self.observer = observer
        scheduler = Guarded(PoolScheduler(size: max(1, size), warmingSize: max(1, warmingSize)))
        loop = try EventLoop.start(name: "agd-curl", orShare: thread)
    }

    /// Kills the workers, and ends the thread if no other part uses it. The owner calls this method once.
    package nonisolated func shutdown() async {
        await endAll()
        loop.shutdown()
    }

    private func endAll() {
        for id in jobs.keys { jobs[id]?.failure = MediaFailure(.cancelled, "the transcoder was shut down") }
        handle(.shutDown)
        for id in workers.keys { remove(id) }
    }

    /// The process identifiers of the running workers.
    package var processIdentifiers: [Int32] { workers.values.map { $0.process.child.pid } }

    /// The load at this instant, on any thread.
    package nonisolated var load: PoolLoad { scheduler.withLock { $0.machine.load } }

    // MARK: Reservations, on any thread

    package nonisolated func reservation(
        for flow: TranscodeFlow, until deadline: MonotonicInstant
    ) -> any TranscodeReservation {
        PoolReservation(flow, until: deadline, in: self)
    }

    package nonisolated func partReservation(
        for flow: TranscodeFlow, until deadline: MonotonicInstant
    ) -> any TranscodeReservation {
        PoolReservation(flow, until: deadline, in: self, needsJob: false)
    }

    package nonisolated func refusal(for flow: TranscodeFlow, until deadline: MonotonicInstant) -> MediaFailure? {
        let wait = scheduler.withLock { scheduler in
            scheduler.machine.excessiveWait(for: scheduler.terms(of: flow, until: deadline), at: .now)
        }
        guard let wait else { return nil }
        observer(.overloaded(isDownloaded: false))
        return .overloaded(forAnother: wait)
    }

    /// Raises the job that was submitted with a reservation.
    nonisolated func raise(_ reservation: PoolReservation, to rank: Int) {
        loop.execute { [weak self] in
            self?.assumeIsolated { pool in
                for (id, job) in pool.jobs where job.request.reservation as? PoolReservation === reservation {
                    pool.handle(.raised(id, rank))
                }
            }
        }
    }

    // MARK: Jobs

    package func transcode(_ request: TranscodeRequest) async -> Result<RenditionSet, MediaFailure> {
        defer { request.trace.leave() }
        do throws(MediaFailure) {
            request.trace.enter(.inspect)
            let source = try TranscodeSource.inspect(request.source)
            guard !source.isPart || source.showsParts(request.form) else {
                throw MediaFailure(.corruptMedia, "the file has not arrived as a whole")
            }
            let specs = source.specs(for: request)
            var outputs: [MediaFile] = []
            for spec in specs { outputs.append(try request.makeFile(source.output(of: spec))) }
            while true {
                try await checkCooldown(of: request)
                guard let end = await run(request, source, specs, outputs) else { continue }
                if end.blamesFile { await startCooldown(for: request) }
                return end.result.mapError { failure in
                    var failure = failure
                    failure.sourceType = source.mimeType
                    return failure
                }
            }
        } catch {
            return .failure(error)
        }
    }

    /// Runs a job to its end. Returns `nil` if a worker has crashed meanwhile, so that the file may be blocked.
    private func run(
        _ request: TranscodeRequest, _ source: TranscodeSource, _ specs: [RenditionSpec], _ outputs: [MediaFile]
    ) async -> JobEnd? {
        // A worker would be killed for a job that is already cancelled or late.
        if Task.isCancelled { return JobEnd(result: .failure(.cancelled)) }
        guard MonotonicInstant.now < request.deadline else { return JobEnd(result: .failure(.budgetExceeded)) }
        var flow = Self.flow(of: request)
        if let reservation = request.reservation as? PoolReservation {
            flow.priority = reservation.rank
            reservation.release()
        }
        let deadline = request.deadline - request.storing
        let (id, terms) = scheduler.withLock { ($0.nextJob(), $0.terms(of: flow, until: deadline, source: source)) }
        let message = TranscodeJob(
            id: id, format: source.format, limits: limits, specs: specs, showsDamage: request.form.damaged == .show,
            isPart: source.isPart)
        request.trace.enter(.queue)
        let waiter = Waiter<JobEnd?>()
        jobs[id] = Job(
            request: request, check: RenditionCheck(source: source, message: message, outputs: outputs),
            host: flow.host, waiter: waiter, timer: schedule(at: request.deadline) { $0.expire(id) })
        handle(.submitted(id, terms))
        return await waiter.value { [loop] _ in
            loop.execute { [weak self] in self?.assumeIsolated { $0.abandon(id, .cancelled) } }
        }
    }

    private func expire(_ id: JobID) {
        guard let job = jobs[id] else { return }
        abandon(id, job.sent == nil ? .overloaded : .budgetExceeded)
    }

    func abandon(_ job: JobID, _ failure: MediaFailure) {
        guard jobs[job] != nil else { return }
        jobs[job]?.failure = failure
        handle(.abandoned(job))
    }

    func schedule(
        at instant: MonotonicInstant, _ body: @escaping @Sendable (isolated TranscodePool) -> Void
    ) -> EventLoop.TimerID {
        loop.schedule(at: instant) { [weak self] in self?.assumeIsolated { body($0) } }
    }
}
