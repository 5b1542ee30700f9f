import Base
import Glibc
import LinuxIO
import NotificationModel
import Sandbox
import TranscodeProtocol

/// The processes of the workers, their messages and their ends.
extension TranscodePool {
    /// The processor time that a job may use in addition to the time until its deadline.
    private static let processorMargin = Duration.seconds(1)

    /// The time for a worker that has closed its socket to end by itself. Its exit status states the reason.
    private static let endGrace = Duration.milliseconds(50)

    /// A worker process of the pool.
    final class Worker {
        var process: WorkerProcess
        var isKilled = false
        /// The forbidden system call that the worker reported; `nil` if the worker reported no such call.
        var violation: WorkerViolation?
        /// The number of replies.
        var jobCount = 0
        /// Whether the worker gets no other job, although it has no fault.
        var isSpent = false

        init(_ process: consuming WorkerProcess) { self.process = process }
    }

    // MARK: Actions of the state machine

    func handle(_ event: PoolStateMachine.Event) {
        let actions = scheduler.withLock { $0.machine.handle(event, at: .now) }
        for action in actions {
            switch action {
            case .start(let worker, let isForWarming): start(worker, isForWarming: isForWarming)
            case .send(let job, let worker): send(job, to: worker)
            case .finish(let job, let why): finish(job, why)
            case .kill(let worker): kill(worker)
            case .wake(let instant): _ = schedule(at: instant) { $0.handle(.woken) }
            }
        }
    }

    /// Kills a worker. The exit descriptor of the worker reports the end of the process.
    private func kill(_ id: WorkerID) {
        guard let worker = workers[id], !worker.isKilled else { return }
        worker.isKilled = true
        worker.process.child.kill()
        observer(worker.isSpent ? .workerRecycled : .workerKilled)
    }

    private func start(_ id: WorkerID, isForWarming: Bool) {
        do throws(SystemError) {
            var options = options
            options.isForWarming = isForWarming
            let worker = Worker(try WorkerProcess.start(program, options))
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
            startProblem = error
            // The other actions of this event are performed first.
            loop.execute { [weak self] in self?.assumeIsolated { $0.handle(.startFailed(id)) } }
        }
    }

    private func send(_ id: JobID, to worker: WorkerID) {
        guard var job = jobs[id], let process = workers[worker] else { return }
        let request = job.request
        request.trace.enter(.transcode)
        let now = MonotonicInstant.now
        if job.sent != nil { observer(.retried) }
        (job.sent, job.worker, job.isWarm, job.stills) = (now, worker, process.jobCount > 0, nil)
        jobs[id] = job
        let left = now.duration(to: request.deadline)
        var message = job.check.message
        message.pace = scheduler.withLock { $0.estimator.pace }
        message.deadline = MonotonicClock.microseconds + UInt64(max(0, (left - request.storing).milliseconds * 1_000))
        do throws(SystemError) {
            try process.process.send(
                message, input: request.source.file, outputs: job.check.outputs,
                processorTime: max(.zero, left) + Self.processorMargin)
        } catch {
            // A worker that accepts no message has ended, or is about to end. The exit descriptor reports how.
            process.process.child.kill()
        }
    }

    // MARK: Messages of workers

    private func receive(from id: WorkerID) {
        guard let worker = workers[id] else { return }
        do {
            guard let message = try worker.process.socket.receive(upTo: TranscodeWire.maxBytes) else {
                return close(worker)
            }
            for descriptor in message.descriptors { _ = OwnedDescriptor(adopting: descriptor) }
            if let violation = WorkerViolation(message: message.bytes) {
                // An intact worker ends after this report. Any other worker is killed here. The end of the process
                // describes the failure of the worker's job better than this report.
                worker.violation = violation
                worker.process.child.kill()
                return
            }
            let reply = try TranscodeWire.decodeReply(message.bytes)
            guard scheduler.withLock({ $0.machine.isAt(reply.id, id) }), accept(reply) else {
                return handle(.distrusted(id))
            }
            guard !reply.isInterim else { return }
            worker.jobCount += 1
            isOfOtherBuild = false
            worker.isSpent = WorkerLifetime.isOver(afterJobs: worker.jobCount, of: worker.process.child.pid)
            handle(.replied(id, reply.id, isSpent: worker.isSpent))
        } catch let error as SystemError where error.isTryAgain {
            return
        } catch let error as SystemError where error.errno == ECONNRESET {
            close(worker)
        } catch {
            handle(.distrusted(id))
        }
    }

    /// Stops watching a socket that the worker has closed. The socket would stay readable, and the exit descriptor will
    /// report the end. A worker that does not end is killed, because it cannot get another job.
    private func close(_ worker: Worker) {
        loop.unwatch(worker.process.socket.descriptor.raw)
        _ = loop.schedule(at: .now + Self.endGrace) { [weak worker] in worker?.process.child.kill() }
    }

    private func ended(_ id: WorkerID) {
        guard let worker = workers[id] else { return }
        var end = worker.process.child.end()
        // The end of the process can be reported before its last messages are read. They are the still images of a
        // video, or the report of a forbidden call.
        for message in worker.process.takeLastMessages() {
            if let violation = WorkerViolation(message: message) {
                worker.violation = worker.violation ?? violation
            } else if let reply = try? TranscodeWire.decodeReply(message), reply.isInterim,
                scheduler.withLock({ $0.machine.isAt(reply.id, id) })
            {
                _ = accept(reply)
            }
        }
        if end == .exited(status: WorkerSandbox.violationStatus) || worker.violation != nil {
            end = .violated(call: worker.violation.map { SystemCallName.of($0.call, architecture: $0.architecture) })
        }
        if end == .exited(status: WorkerOptions.refusal), worker.jobCount == 0 {
            isOfOtherBuild = true
            observer(.workerNotStarted)
            remove(id)
            return handle(.startFailed(id))
        }
        // A worker that only closed its socket was killed for that reason.
        if worker.isKilled {
            end = nil
        } else if let end {
            let atJob = jobs.values.contains { $0.worker == id }
            observer(.workerEnded(end, processIdentifier: worker.process.child.pid, atJob: atJob))
        }
        remove(id)
        handle(.ended(id, end))
    }

    /// Removes a worker. The deinitialization of its process kills and reaps the process.
    func remove(_ id: WorkerID) {
        guard let worker = workers.removeValue(forKey: id) else { return }
        loop.unwatch(worker.process.socket.descriptor.raw)
        loop.unwatch(worker.process.child.exitDescriptor.raw)
    }
}
