package import LinuxIO
import MediaHeaders
package import NotificationModel
package import TranscodeProtocol

/// Makes renditions in worker processes, so that no decoder runs where the network, the store and the secrets are.
///
/// What comes in: a fetched medium and what a profile wants of it. What goes out: renditions in nameless files, each
/// checked again here, for a worker's word counts for nothing; or the reason why there are none. The pool reads the
/// first bytes of a medium to choose the worker's demuxer and refuses what is no medium; everything else about it is the
/// worker's to find out. Workers persist from job to job. A job that is cancelled, or whose deadline passes, is ended
/// by killing its worker: a decoder cannot be asked to stop. All of this runs on one owned thread.
package actor TranscodePool: MediaTranscoding {
    private struct Job {
        let message: TranscodeJob
        let source: SourceKind
        let input: MediaFile
        let outputs: [MediaFile]
        let deadline: MonotonicInstant
        let trace: StageTrace
        let continuation: CheckedContinuation<Result<RenditionSet, MediaFailure>, Never>
        let timer: EventLoop.TimerID
        var sent: MonotonicInstant?
        /// Why it is abandoned, when it is.
        var failure: MediaFailure?
        /// What its worker's reply came to.
        var result: Result<RenditionSet, MediaFailure>?
        var stages: [TranscodeStage] = []
    }

    private final class Worker {
        var process: WorkerProcess
        init(_ process: consuming WorkerProcess) { self.process = process }
    }

    /// What is left of a deadline for the renditions' way into the container: two or three files and their names, synced.
    private static let storing = Duration.milliseconds(20)

    private nonisolated let loop: EventLoop
    private let executable: String
    private let limits: DecodeLimits
    private var machine: PoolStateMachine
    private var workers: [WorkerID: Worker] = [:]
    private var jobs: [JobID: Job] = [:]
    private var lastJob: JobID = 0
    /// Why the last worker that could not be started could not.
    private var startProblem: SystemError?

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - executable: the path of `appgroupd-transcode`.
    ///   - size: the most workers at a time, at least 1.
    ///   - limits: what a source may cost.
    package init(executable: String, size: Int, limits: DecodeLimits = DecodeLimits()) throws(SystemError) {
        self.executable = executable
        self.limits = limits
        machine = PoolStateMachine(size: max(1, size))
        loop = try EventLoop.start(name: "agd-transcode")
    }

    /// Kills the workers and joins the thread. Called once.
    package nonisolated func shutdown() async {
        await endAll()
        loop.shutdown()
    }

    private func endAll() {
        for id in jobs.keys { abandon(id, MediaFailure(.cancelled, "the transcoder was shut down")) }
        for id in workers.keys { release(id) }
    }

    /// The process identifiers of the living workers.
    package var processIdentifiers: [Int32] { workers.values.map { $0.process.child.pid } }

    // MARK: MediaTranscoding

    package func transcode(_ request: TranscodeRequest) async -> Result<RenditionSet, MediaFailure> {
        defer { request.trace.leave() }
        do throws(MediaFailure) {
            request.trace.enter(.inspect)
            let source = try SourceKind.inspect(request.source)
            let orders = source.orders(for: request)
            var outputs: [MediaFile] = []
            for _ in orders { outputs.append(try request.makeFile()) }
            return await run(orders: orders, of: source, outputs: outputs, request: request).mapError { failure in
                var failure = failure
                failure.sourceType = source.mimeType
                return failure
            }
        } catch {
            return .failure(error)
        }
    }

    private func run(
        orders: [RenditionOrder], of source: SourceKind, outputs: [MediaFile], request: TranscodeRequest
    ) async -> Result<RenditionSet, MediaFailure> {
        // A job that is over already would cost the worker that got it.
        if Task.isCancelled { return .failure(.cancelled) }
        guard MonotonicInstant.now < request.deadline else { return .failure(.budgetExceeded) }
        lastJob &+= 1
        let id = lastJob
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                request.trace.enter(.queue)
                let timer = loop.schedule(at: request.deadline) { [unowned self] in
                    self.assumeIsolated { $0.abandon(id, .budgetExceeded) }
                }
                jobs[id] = Job(
                    message: TranscodeJob(id: id, format: source.format, limits: limits, orders: orders),
                    source: source,
                    input: request.source.file, outputs: outputs, deadline: request.deadline, trace: request.trace,
                    continuation: continuation, timer: timer)
                handle(.submitted(id))
            }
        } onCancel: {
            // A later turn of the same loop: the job is in the table by then, or already gone.
            loop.execute { [weak self] in
                self?.assumeIsolated { $0.abandon(id, .cancelled) }
            }
        }
    }

    private func abandon(_ job: JobID, _ failure: MediaFailure) {
        guard jobs[job] != nil else { return }
        jobs[job]?.failure = failure
        handle(.abandoned(job))
    }

    // MARK: Doing what the machine decides

    private func handle(_ event: PoolStateMachine.Event) {
        for action in machine.handle(event) { perform(action) }
    }

    private func perform(_ action: PoolStateMachine.Action) {
        switch action {
        case .start(let worker): start(worker)
        case .send(let job, let worker): send(job, to: worker)
        case .finish(let job, let why): finish(job, why)
        // The exit descriptor tells when it is gone.
        case .kill(let worker): workers[worker]?.process.child.kill()
        }
    }

    private func start(_ id: WorkerID) {
        do throws(SystemError) {
            let worker = Worker(try WorkerProcess.start(executable))
            workers[id] = worker
            loop.watch(worker.process.socket.descriptor.raw, for: .readable) { [unowned self] _ in
                self.assumeIsolated { $0.receive(from: id) }
            }
            loop.watch(worker.process.child.exitDescriptor.raw, for: .readable) { [unowned self] _ in
                self.assumeIsolated { $0.ended(id) }
            }
        } catch {
            later { pool in
                pool.startProblem = error
                pool.handle(.startFailed(id))
            }
        }
    }

    private func send(_ id: JobID, to worker: WorkerID) {
        guard let job = jobs[id], let process = workers[worker] else { return }
        job.trace.enter(.transcode)
        let now = MonotonicInstant.now
        jobs[id]?.sent = now
        let left = now.duration(to: job.deadline)
        var message = job.message
        message.deadline = MonotonicClock.microseconds + UInt64(max(0, (left - Self.storing).milliseconds * 1_000))
        do throws(SystemError) {
            try process.process.send(
                message, input: job.input, outputs: job.outputs, processorTime: max(.seconds(1), left))
        } catch {
            // A worker that takes no message has ended, or is as good as ended.
            later { $0.ended(worker) }
        }
    }

    /// In a turn of its own: the machine's actions of this turn are not all done yet.
    private func later(_ body: @escaping @Sendable (isolated TranscodePool) -> Void) {
        loop.execute { [weak self] in self?.assumeIsolated { body($0) } }
    }

    private func receive(from worker: WorkerID) {
        guard let process = workers[worker] else { return }
        do {
            guard let message = try process.process.socket.receive(upTo: TranscodeWire.mostBytes) else {
                // It has ended, or will take no other job. The exit descriptor follows; until then the closed socket
                // would be ready for ever.
                process.process.child.kill()
                return loop.unwatch(process.process.socket.descriptor.raw)
            }
            for descriptor in message.descriptors { _ = OwnedDescriptor(adopting: descriptor) }
            let reply = try TranscodeWire.decodeReply(message.bytes)
            if machine.isAt(reply.id, worker), !accept(reply) { return }
            handle(.replied(worker, reply.id))
        } catch let error as SystemError where error.isTryAgain {
            return
        } catch {
            // No worker of ours sends this.
            process.process.child.kill()
        }
    }

    /// Looks at what a worker says it made. One whose words and files disagree gets no other job.
    private func accept(_ reply: TranscodeReply) -> Bool {
        guard let job = jobs[reply.id] else { return true }
        do throws(MediaFailure) {
            let renditions = try RenditionCheck.renditions(
                of: reply, orders: job.message.orders, outputs: job.outputs, source: job.source)
            jobs[reply.id]?.result = .success(renditions)
        } catch {
            if error.reason == .workerCrashed {
                abandon(reply.id, error)
                return false
            }
            jobs[reply.id]?.result = .failure(error)
        }
        // Its stages are shown where they fit into the time that it had.
        let claimed = reply.stages.reduce(Duration.zero) { $0 + Stage($1).duration }
        if let sent = job.sent, claimed <= sent.duration(to: .now) { jobs[reply.id]?.stages = reply.stages }
        return true
    }

    private func ended(_ worker: WorkerID) {
        release(worker)
        handle(.ended(worker))
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
            if !job.stages.isEmpty { job.trace.split(into: job.stages.map(Stage.init)) }
            job.continuation.resume(returning: job.result ?? .failure(.crash))
        case .abandoned:
            job.continuation.resume(returning: .failure(job.failure ?? .crash))
        case .crashed:
            job.continuation.resume(returning: .failure(.crash))
        case .cannotStart:
            job.continuation.resume(returning: .failure(MediaFailure(cannotStart: executable, startProblem)))
        }
    }
}

extension MediaFailure {
    fileprivate init(cannotStart executable: String, _ problem: SystemError?) {
        let reason = problem.map { ": \($0.reason)" } ?? ""
        guard let problem, problem.isOutOfDescriptors || problem.isTryAgain else {
            self.init(
                .workerCrashed, "the worker \(executable) cannot be started\(reason): reinstall it beside appgroupd")
            return
        }
        self.init(.overloaded, "no worker can be started at the moment\(reason)")
    }

    fileprivate static let crash = MediaFailure(.workerCrashed, "the worker ended while it was at this file")
    fileprivate static let budgetExceeded = MediaFailure(
        .budgetExceeded, "the budget ended while renditions were made")
}

extension Stage {
    fileprivate init(_ stage: TranscodeStage) {
        let name: StageName =
            switch stage.name {
            case .inspect: .inspect
            case .decode: .decode
            case .scale: .scale
            case .encode: .encode
            }
        self.init(name: name, duration: .microseconds(Int64(clamping: stage.microseconds)))
    }
}
