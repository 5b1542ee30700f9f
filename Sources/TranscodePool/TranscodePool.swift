import Glibc
package import LinuxIO
import MediaTypes
package import NotificationModel
package import Primitives
package import Sandbox
package import TranscodeProtocol

/// A pool of worker processes that make renditions. No decoder runs in the process that has the network, the store and
/// the secrets.
///
/// The input is a fetched media item and the form that a profile asks for. The output is renditions in anonymous files,
/// or the reason why there are no renditions. The pool checks each file again, because a worker's report is not
/// trusted.
///
/// The pool reads the first bytes of a media item to choose the worker's demuxer, and refuses unknown formats. The
/// worker examines everything else. The pool refuses media that are blocked after a crash, and jobs that no worker can
/// finish before their deadline.
///
/// A worker runs many jobs. A caller cancels a job with its task, and a timer cancels the job at its deadline. After a
/// cancellation, the pool kills the job's worker, unless the job is about to end, because a decoder cannot be
/// interrupted. The pool runs on one thread. Only the permits of media items that are not downloaded yet may be
/// used on any thread.
package actor TranscodePool: MediaTranscoding {
    /// The processor time that a job may use in addition to the time until its deadline.
    private static let processorMargin = Duration.seconds(1)

    /// The time for a worker that has closed its socket to end by itself. The exit status of such a worker states the
    /// reason.
    private static let endGrace = Duration.milliseconds(50)

    private nonisolated let loop: EventLoop
    private let executable: String
    private let options: WorkerOptions
    private let limits: DecodeLimits
    nonisolated let scheduler: SharedScheduler
    nonisolated let observer: @Sendable (PoolEvent) -> Void
    private var workers: [WorkerID: Worker] = [:]
    private var jobs: [JobID: Job] = [:]
    /// The timer of the state machine's last `wake` action; `nil` if there was no such action.
    private var wake: EventLoop.TimerID?
    /// The error of the last failed start of a worker; `nil` if no start has failed.
    private var startProblem: SystemError?

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Creates a pool. No worker is started before the first job.
    ///
    /// - Parameter executable: The path of `appgroupd-transcode`.
    /// - Parameter options: The options of each worker.
    /// - Parameter size: The largest number of workers at a time, at least 1. One more worker runs short jobs while all
    ///   of them run long jobs.
    /// - Parameter warmingSize: The largest number of additional workers for warming. They have the lowest priority for
    ///   the processors.
    /// - Parameter limits: The limits of a source.
    /// - Parameter thread: The thread of the pool, which other parts share; `nil` for a separate thread.
    /// - Parameter observer: A function that gets the pool's events, on any thread.
    package init(
        executable: String, options: WorkerOptions = WorkerOptions(), size: Int, warmingSize: Int = 1,
        limits: DecodeLimits = DecodeLimits(), on thread: EventLoop? = nil,
        observer: @escaping @Sendable (PoolEvent) -> Void = { _ in }
    ) throws(SystemError) {
        self.executable = executable
        self.options = options
        self.limits = limits
        self.observer = observer
        scheduler = SharedScheduler(size: max(1, size), warmingSize: max(1, warmingSize))
        loop = try EventLoop.start(name: "agd-transcode", orShare: thread)
    }

    /// Kills the workers, and ends the thread if no other part uses it. The owner calls this method once.
    package nonisolated func shutdown() async {
        await endAll()
        loop.shutdown()
    }

    private func endAll() {
        for id in jobs.keys { jobs[id]?.failure = MediaFailure(.cancelled, "the transcoder was shut down") }
        handle(.shutDown)
        for id in workers.keys { release(id) }
    }

    /// The process identifiers of the running workers.
    package var processIdentifiers: [Int32] { workers.values.map { $0.process.child.pid } }

    // MARK: MediaTranscoding

    package nonisolated func permit(for flow: TranscodeFlow, until deadline: MonotonicInstant) -> any TranscodePermit {
        permit(for: flow, until: deadline, isPart: false)
    }

    package nonisolated func partPermit(
        for flow: TranscodeFlow, until deadline: MonotonicInstant
    ) -> any TranscodePermit {
        permit(for: flow, until: deadline, isPart: true)
    }

    private nonisolated func permit(
        for flow: TranscodeFlow, until deadline: MonotonicInstant, isPart: Bool
    ) -> any TranscodePermit {
        PoolPermit(flow, until: deadline, isPart: isPart, in: scheduler, observer: observer) {
            [weak self, loop] job, rank in
            loop.execute { [weak self] in self?.assumeIsolated { $0.handle(.raised(job, rank)) } }
        }
    }

    package nonisolated func refusal(for flow: TranscodeFlow, until deadline: MonotonicInstant) -> MediaFailure? {
        let wait = scheduler.state.withLock { $0.excessiveWait(of: flow, until: deadline, at: .now) }
        guard let wait else { return nil }
        observer(.overloaded(isDownloaded: false))
        return .overloaded(forAnother: wait)
    }

    package func transcode(_ request: TranscodeRequest) async -> Result<RenditionSet, MediaFailure> {
        defer { request.trace.leave() }
        do throws(MediaFailure) {
            request.trace.enter(.inspect)
            let source = try SourceKind.inspect(request.source)
            guard !request.source.isPart || source.showsParts(request.form) else {
                throw MediaFailure(.corruptMedia, "the file has not arrived as a whole")
            }
            let specs = source.specs(for: request)
            var outputs: [MediaFile] = []
            for order in specs { outputs.append(try request.makeFile(source.output(of: order))) }
            while true {
                let crashCount = try await checkRest(of: request)
                let end = await run(
                    specs: specs, of: source, outputs: outputs, request: request, crashCount: crashCount)
                guard let end else { continue }
                if end.blamesFile { await rest(request) }
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

    /// Runs a job, and waits for its end.
    ///
    /// - Returns: `nil` if a worker has crashed in the meantime, so that the file may be blocked now.
    private func run(
        specs: [RenditionSpec], of source: SourceKind, outputs: [MediaFile], request: TranscodeRequest, crashCount: Int
    ) async -> JobEnd? {
        // A worker would be killed for a job that is already cancelled or late.
        if Task.isCancelled { return JobEnd(result: .failure(.cancelled)) }
        guard MonotonicInstant.now < request.deadline else { return JobEnd(result: .failure(.budgetExceeded)) }
        let permit = request.permit as? PoolPermit
        var flow = Self.flow(of: request)
        let measure = SourceMeasure(request.source, as: source.format.container)
        let id = number(of: permit)
        if let permit { flow.priority = permit.submit(id) }
        let terms = terms(
            of: measure, flow, until: request.deadline - request.storing, isPart: request.source.isPart)
        request.trace.enter(.queue)
        let timer = loop.schedule(at: request.deadline) { [unowned self] in
            self.assumeIsolated { $0.expire(id) }
        }
        let waiter = Waiter<JobEnd?>()
        jobs[id] = Job(
            message: TranscodeJob(
                id: id, format: source.format, limits: limits, specs: specs,
                showsDamage: request.form.damaged == .show, isPart: request.source.isPart),
            source: source, measure: measure, flow: flow, input: request.source.file,
            byteCount: request.source.byteCount, crashCount: crashCount, outputs: outputs,
            deadline: request.deadline, storing: request.storing, trace: request.trace, waiter: waiter, timer: timer)
        handle(.submitted(id, terms))
        return await waiter.value { [loop] _ in
            loop.execute { [weak self] in
                self?.assumeIsolated { $0.abandon(id, .cancelled) }
            }
        }
    }

    /// Returns the number of the media item's reservation, unless another job has it. A media item may be transcoded
    /// for several profiles, or again with a longer deadline.
    private func number(of permit: PoolPermit?) -> JobID {
        let reserved = permit?.job
        return scheduler.state.withLock { scheduler in
            guard let job = reserved, scheduler.machine.isReserved(job) else { return scheduler.nextJob() }
            return job
        }
    }

    private func terms(
        of measure: SourceMeasure, _ flow: TranscodeFlow, until deadline: MonotonicInstant, isPart: Bool
    ) -> TranscodeTerms {
        let estimate = scheduler.state.withLock { scheduler in
            isPart
                ? scheduler.estimator.estimate(ofPartFrom: flow.host, as: measure.format)
                : scheduler.estimator.estimate(of: measure, from: flow.host)
        }
        var terms = TranscodeTerms(flow, until: deadline, estimate, isPart: isPart)
        terms.mayBeLong = measure.format.kind != .image && !estimate.isKnown
        return terms
    }

    private func expire(_ id: JobID) {
        guard let job = jobs[id] else { return }
        abandon(id, job.sent == nil ? .overloaded : .budgetExceeded)
    }

    private func abandon(_ job: JobID, _ failure: MediaFailure, isFinal: Bool = false) {
        guard jobs[job] != nil else { return }
        jobs[job]?.failure = failure
        handle(.abandoned(job, isFinal: isFinal))
    }

    // MARK: Actions of the state machine

    private func handle(_ event: PoolStateMachine.Event) {
        let actions = scheduler.state.withLock { $0.handle(event, at: .now) }
        for action in actions { perform(action) }
    }

    private func perform(_ action: PoolStateMachine.Action) {
        switch action {
        case .start(let worker): start(worker)
        case .send(let job, let worker): send(job, to: worker)
        case .finish(let job, let why): finish(job, why)
        case .kill(let worker): kill(worker)
        case .letFinish(let job, let instant): letFinish(job, until: instant)
        case .wake(let instant):
            if let wake { loop.cancel(wake) }
            wake = loop.schedule(at: instant) { [weak self] in self?.assumeIsolated { $0.handle(.woken) } }
        }
    }

    /// Kills a worker. The exit descriptor of the worker reports the end of the process.
    private func kill(_ id: WorkerID) {
        guard let worker = workers[id], !worker.isKilled else { return }
        worker.isKilled = true
        worker.process.child.kill()
        observer(worker.isSpent ? .workerRecycled : .workerKilled)
    }

    private func letFinish(_ id: JobID, until instant: MonotonicInstant) {
        guard let job = jobs[id] else { return }
        loop.cancel(job.timer)
        jobs[id]?.isLate = true
        jobs[id]?.timer = loop.schedule(at: instant) { [unowned self] in
            self.assumeIsolated { $0.abandon(id, job.failure ?? .budgetExceeded, isFinal: true) }
        }
    }

    private func start(_ id: WorkerID) {
        do throws(SystemError) {
            var options = options
            options.isForWarming = scheduler.state.withLock { $0.machine.isForWarming(id) }
            let worker = Worker(try WorkerProcess.start(executable, options))
            workers[id] = worker
            observer(.workerStarted)
            loop.watch(worker.process.socket.descriptor.raw, for: .readable) { [unowned self] _ in
                self.assumeIsolated { $0.receive(from: id) }
            }
            loop.watch(worker.process.child.exitDescriptor.raw, for: .readable) { [unowned self] _ in
                self.assumeIsolated { $0.ended(id) }
            }
        } catch {
            observer(.workerNotStarted)
            later { pool in
                pool.startProblem = error
                pool.handle(.startFailed(id))
            }
        }
    }

    private func send(_ id: JobID, to worker: WorkerID) {
        guard let job = jobs[id], let process = workers[worker] else { return }
        if mayRest(job) { return withdraw(id, from: worker) }
        job.trace.enter(.transcode)
        let now = MonotonicInstant.now
        if job.sent != nil { observer(.retried) }
        jobs[id]?.sent = now
        jobs[id]?.interim = nil
        jobs[id]?.stillsMade = nil
        jobs[id]?.worker = worker
        let left = now.duration(to: job.deadline)
        var message = job.message
        message.pace = scheduler.state.withLock { $0.estimator.pace }
        message.deadline = MonotonicClock.microseconds + UInt64(max(0, (left - job.storing).milliseconds * 1_000))
        do throws(SystemError) {
            try process.process.send(
                message, input: job.input, outputs: job.outputs,
                processorTime: max(.zero, left) + Self.processorMargin)
        } catch {
            // A worker that accepts no message has ended, or is about to end. The exit descriptor reports how.
            process.process.child.kill()
        }
    }

    /// Returns whether the job's file or host may be blocked because of a crash since the job was submitted.
    private func mayRest(_ job: Job) -> Bool {
        scheduler.state.withLock { scheduler in
            let crashes = scheduler.crashes
            return crashes.count != job.crashCount
                && (crashes.mayRest(job.byteCount) || crashes.rest(of: CrashHistory.Origin(job.flow), at: .now) != nil)
        }
    }

    private func withdraw(_ id: JobID, from worker: WorkerID) {
        guard let job = jobs.removeValue(forKey: id) else { return }
        loop.cancel(job.timer)
        job.waiter.resume(returning: nil)
        later { $0.handle(.withdrawn(id, worker)) }
    }

    /// Runs `body` in a later turn of the loop, because the state machine's actions of this turn are not all performed
    /// yet.
    private func later(_ body: @escaping @Sendable (isolated TranscodePool) -> Void) {
        loop.execute { [weak self] in self?.assumeIsolated { body($0) } }
    }

    private func receive(from worker: WorkerID) {
        guard let process = workers[worker] else { return }
        do {
            guard let message = try process.process.socket.receive(upTo: TranscodeWire.mostBytes) else {
                return close(process)
            }
            for descriptor in message.descriptors { _ = OwnedDescriptor(adopting: descriptor) }
            if let violation = WorkerViolation(message: message.bytes) {
                // An intact worker ends after this report. Any other worker is killed here.
                process.violation = violation
                process.process.child.kill()
                // A worker without a job gets no other job. If the worker has a job, the end of its process describes
                // the failure better than this report.
                if !jobs.values.contains(where: { $0.worker == worker }) { handle(.distrusted(worker)) }
                return
            }
            let reply = try TranscodeWire.decodeReply(message.bytes)
            let isAt = scheduler.state.withLock { $0.machine.isAt(reply.id, worker) }
            if reply.isInterim { return isAt && note(reply) ? () : handle(.distrusted(worker)) }
            if isAt, !accept(reply) { return }
            process.jobCount += 1
            process.isSpent = WorkerLifetime.isOver(afterJobs: process.jobCount, of: process.process.child.pid)
            handle(.replied(worker, reply.id, isSpent: process.isSpent))
        } catch let error as SystemError where error.isTryAgain {
            return
        } catch let error as SystemError where error.errno == ECONNRESET {
            close(process)
        } catch {
            // An intact worker does not send such a message.
            kill(worker)
        }
    }

    /// Stops watching a socket that the worker has closed. The socket would stay readable, and the exit descriptor will
    /// report the end. A worker that does not end is killed, because it cannot get another job.
    private func close(_ worker: Worker) {
        loop.unwatch(worker.process.socket.descriptor.raw)
        _ = loop.schedule(at: .now + Self.endGrace) { [weak worker] in worker?.process.child.kill() }
    }

    /// Stores the still images that a worker has made of a video. The still images are shown if the video is not
    /// finished in time, or if the worker fails.
    ///
    /// - Returns: `false` for a reply that no intact worker sends: a second interim reply, or an interim reply to a job
    ///   without a video.
    private func note(_ interim: TranscodeReply) -> Bool {
        guard let job = jobs[interim.id], !job.isLate else { return true }
        guard job.interim == nil, job.source.format.container.kind == .video, !job.message.isPart else { return false }
        loop.cancel(job.timer)
        jobs[interim.id]?.interim = interim
        jobs[interim.id]?.stillsMade = .now
        jobs[interim.id]?.timer = loop.schedule(at: job.deadline - job.storing) { [unowned self] in
            self.assumeIsolated { $0.abandon(interim.id, .budgetExceeded, isFinal: true) }
        }
        return true
    }

    /// Checks a worker's reply. A worker whose report does not agree with its files gets no other job.
    ///
    /// - Returns: Whether the reply can be handled as an event.
    private func accept(_ reply: TranscodeReply) -> Bool {
        guard let job = jobs[reply.id] else { return true }
        let result = result(of: reply, to: job)
        if case .failure(let lie) = result, lie.reason == .workerCrashed {
            abandon(reply.id, lie, isFinal: true)
            return false
        }
        jobs[reply.id]?.result = result
        // The reported stages are shown only if they fit into the time that the worker had.
        let claimed = reply.stages.reduce(Duration.zero) { $0 + Stage($1).duration }
        if let sent = job.sent, claimed <= sent.duration(to: .now) {
            jobs[reply.id]?.stages = reply.stages
            if case .success = reply.result {
                learn(from: job, took: sent.duration(to: .now), worked: claimed, reply.cost)
            }
        }
        if let worker = job.worker { workers[worker]?.hasReplied = true }
        return true
    }

    /// Returns the renditions of a reply. If the worker could not make the video, they are the still images of its
    /// interim reply.
    ///
    /// - Returns: A failure with the reason `worker-crashed` for a report that does not agree with its files.
    private func result(of reply: TranscodeReply, to job: Job) -> Result<RenditionSet, MediaFailure> {
        do throws(MediaFailure) {
            return .success(
                try RenditionCheck.renditions(of: reply, to: job.message, outputs: job.outputs, source: job.source))
        } catch {
            return error.reason == .workerCrashed ? .failure(error) : job.result(without: error)
        }
    }

    private func learn(from job: Job, took: Duration, worked: Duration, _ cost: TranscodeCost?) {
        let isWarm = job.worker.flatMap { workers[$0]?.hasReplied } ?? false
        scheduler.state.withLock { scheduler in
            // The cost of a part's still image does not predict the cost of the whole file.
            guard !job.message.isPart else {
                if isWarm {
                    scheduler.estimator.notePart(as: job.measure.format, took: took.milliseconds * 1_000)
                }
                return
            }
            scheduler.estimator.note(
                job.measure, from: job.flow.host, took: isWarm ? took.milliseconds * 1_000 : nil,
                worked: worked.milliseconds * 1_000, cost: cost,
                stillsTook: isWarm ? job.stillsTook.map { $0.milliseconds * 1_000 } : nil)
        }
    }

    private func ended(_ id: WorkerID) {
        guard let worker = workers[id] else { return }
        var end = worker.process.child.end()
        let atJob = jobs.values.contains { $0.worker == id }
        hearLastMessages(of: worker, id)
        if end == .exited(status: WorkerSandbox.violationStatus) || worker.violation != nil {
            end = .violated(call: worker.violation.map { SystemCallName.of($0.call, architecture: $0.architecture) })
        }
        // A worker that only closed its socket was killed for that reason.
        if worker.isKilled {
            end = nil
        } else if let end {
            observer(.workerEnded(end, processIdentifier: worker.process.child.pid, atJob: atJob))
        }
        release(id)
        handle(.ended(id, end))
    }

    /// Handles the last messages of an ended worker. The end of the process can be reported before these messages are
    /// read. The last messages are the still images of a video, or the report of a forbidden call.
    private func hearLastMessages(of worker: Worker, _ id: WorkerID) {
        for message in worker.process.takeLastMessages() {
            if let violation = WorkerViolation(message: message) {
                worker.violation = worker.violation ?? violation
            } else if let reply = try? TranscodeWire.decodeReply(message), reply.isInterim,
                scheduler.state.withLock({ $0.machine.isAt(reply.id, id) })
            {
                _ = note(reply)
            }
        }
    }

    private func release(_ id: WorkerID) {
        guard let worker = workers.removeValue(forKey: id) else { return }
        loop.unwatch(worker.process.socket.descriptor.raw)
        loop.unwatch(worker.process.child.exitDescriptor.raw)
    }

    private func finish(_ id: JobID, _ why: PoolStateMachine.Finish) {
        guard let job = jobs.removeValue(forKey: id) else { return }
        loop.cancel(job.timer)
        switch why {
        case .replied:
            if job.isLate, case .success? = job.result { observer(.finishedLate) }
            if !job.stages.isEmpty { job.trace.split(into: job.stages.map(Stage.init)) }
            job.end(job.result ?? .failure(.crash))
        case .abandoned:
            learnOverrun(of: job)
            let failure = job.failure ?? .crash
            // Renditions of a worker whose report did not agree with its files are not shown.
            let result = failure.reason == .workerCrashed ? .failure(failure) : job.result(without: failure)
            // A worker that has finished other jobs may send a wrong report because of one of their files.
            let isNew = job.worker.flatMap { workers[$0]?.hasReplied } == false
            let isLie = if case .failure(let lie) = result { lie.reason == .workerCrashed } else { false }
            job.end(result, blamesFile: isLie && isNew)
        case .overloaded:
            observer(.overloaded(isDownloaded: true))
            job.end(job.result(without: .overloaded))
        case .crashed(let end, let blamesFile):
            job.end(job.result(without: MediaFailure(crash: end)), blamesFile: blamesFile)
        case .cannotStart:
            job.end(job.result(without: MediaFailure(cannotStart: executable, startProblem)))
        }
    }

    /// Learns from a job that was ended by its deadline. The job took longer than expected, unless the time was spent
    /// on the start of its worker.
    private func learnOverrun(of job: Job) {
        guard job.failure?.reason == .budgetExceeded, !job.message.isPart, let sent = job.sent, let worker = job.worker,
            workers[worker]?.hasReplied == true
        else { return }
        let took = sent.duration(to: .now).milliseconds * 1_000
        scheduler.state.withLock { $0.estimator.noteOverrun(job.measure, from: job.flow.host, took: took) }
    }
}
