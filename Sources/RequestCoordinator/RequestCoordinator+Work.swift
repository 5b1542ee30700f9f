import JSON
import Logging
import NotificationModel
import Primitives

/// The work on a request, from a job to its published result.
extension RequestCoordinator {
    /// Begins the work on an accepted request, or queues a request with media until it has a permit. A request whose
    /// stages have ended, or that is cancelled, is composed without a permit.
    ///
    /// A queued request has no task: 10,000 waiting requests take 18 % less memory than with two small tasks each.
    func enqueue(_ job: Job) {
        guard job.waitsForMedia, let ticket = permits.enqueue() else {
            return begin(Turn(job: job, hasPermit: job.waitsForMedia, wasQueued: false))
        }
        let alarm = clock.alarm(at: job.request.budget.stagesEnd) { [permits] in permits.abandon(ticket) }
        let isCancelled = state.withLock { state in
            state.tickets[job.key] = ticket
            return state.table.isCancelled(job.key)
        }
        if isCancelled { permits.abandon(ticket) }
        permits.whenDecided(ticket) { [self] hasPermit in
            alarm.cancel()
            state.withLock { state in
                // The request is added to the stream under the lock, so that `close` does not end the stream before it
                // is added.
                state.tickets[job.key] = nil
                begin(Turn(job: job, hasPermit: hasPermit, wasQueued: true))
                if state.isClosing, state.tickets.isEmpty { turns.continuation.finish() }
            }
        }
    }

    private func begin(_ turn: Turn) {
        guard case .terminated = turns.continuation.yield(turn) else { return }
        // The request became durable after the coordinator was closed, so the next daemon processes it.
        logger.notice("accepted while ending; the next start emits it", metadata: turn.job.metadata)
    }

    func work(on turn: Turn) async {
        let job = turn.job
        async let _: Void = endAtDeadline(job)
        let work = Task(executorPreference: large.executor(forBytes: job.byteCount)) {
            // A recovered request can be cancelled before its work begins.
            if self.isCancelled(job.key) { withUnsafeCurrentTask { $0?.cancel() } }
            await self.process(turn)
        }
        let isCancelled = state.withLock { state in
            // The work may be faster than this task, and its result may already be published.
            guard state.table.phase(of: job.key) != nil else { return false }
            state.work[job.key] = work
            return state.table.isCancelled(job.key)
        }
        if isCancelled { work.cancel() }
        await work.value
        let wasReleased = state.withLock { $0.withoutPermit.remove(job.key) != nil }
        if turn.hasPermit, !wasReleased { permits.release() }
        await job.published.waitUninterrupted()
    }

    private func isCancelled(_ key: RequestKey) -> Bool { state.withLock { $0.table.isCancelled(key) } }

    private func process(_ turn: Turn) async {
        let job = turn.job
        do throws(MediaFailure) {
            try await processor.process(
                job.request, as: job.reading, queuedSince: turn.wasQueued ? job.request.budget.received : nil,
                progress: { self.note($0, of: turn) }, emit: { self.composed($0, job) })
        } catch {
            logger.error("emitted, but not in the index: \(error.detail)", metadata: job.metadata)
        }
    }

    private func note(_ step: ProcessingStep, of turn: Turn) {
        switch step {
        case .started: if state.withLock({ $0.table.started(turn.job.key) }) { tell(.started, turn.job) }
        // A request that has waited for a host continues without a permit, because the permits of its media limit the
        // concurrent work.
        case .waitsForHost:
            if turn.hasPermit, state.withLock({ $0.withoutPermit.insert(turn.job.key).inserted }) { permits.release() }
        }
    }

    private func composed(_ notification: ProcessedNotification, _ job: Job) {
        let content = EmittedContent(notification, of: job.key)
        guard state.withLock({ $0.table.composed(content) }) else { return }
        metrics.hasComposed(notification.attachments)
        logUnknownPayload(of: notification, job)
        journal.emit(content, from: job.origin) { self.published(content, job) }
    }

    /// Logs a payload that no dialect recognises. Otherwise its sender would learn only from the result that no part of
    /// it was read.
    func logUnknownPayload(of notification: ProcessedNotification, _ job: Job) {
        guard notification.payload.dialect == nil, notification.outcome == .passthrough,
            let problem = notification.problem
        else { return }
        var metadata = job.metadata
        metadata["problem"] = "\(problem)"
        logger.notice("an unknown payload passes through", metadata: metadata)
    }

    func published(_ content: EmittedContent, _ job: Job) {
        let now = clock.now
        let budget = job.request.budget
        let waiting = state.withLock { state in
            state.work[job.key] = nil
            state.emitted[content.outcome, default: 0] += 1
            return state.table.published(job.key).compactMap { state.waiting.removeValue(forKey: $0) }
        }
        for continuation in waiting { continuation.resume(returning: content) }
        job.published.signal()
        let elapsed = budget.received.duration(to: now)
        countInFlight()
        metrics.hasEmitted(
            content.outcome, content.reason, elapsed: elapsed, lateness: budget.deadline.duration(to: now))
        tell(.emitted(content.outcome, content.reason), job)
        var metadata = job.metadata
        metadata["outcome"] = "\(content.outcome.rawValue)"
        metadata["ms"] = .stringConvertible(Int(elapsed.milliseconds))
        if let reason = content.reason { metadata["reason"] = "\(reason.rawValue)" }
        logger.info("emitted", metadata: metadata)
    }

    /// Releases the waiting callers at the deadline if the disk is slow. The method also ends the job, so that a
    /// closing daemon does not wait for a full disk.
    private func endAtDeadline(_ job: Job) async {
        await clock.sleep(until: job.request.budget.deadline)
        guard !Task.isCancelled else { return }
        release(job)
        await closing.wait()
        await clock.sleep(until: clock.now.advanced(by: limits.lastWrite))
        guard !Task.isCancelled else { return }
        release(job)
        logger.error("not written while it ends; the next start emits it", metadata: job.metadata)
        job.published.signal()
    }

    private func release(_ job: Job) {
        let released = state.withLock { state in
            state.table.release(job.key).map { content, callers in
                (content, callers.compactMap { state.waiting.removeValue(forKey: $0) })
            }
        }
        guard let (content, waiting) = released else { return }
        for continuation in waiting { continuation.resume(returning: content) }
    }

    func countInFlight() { metrics.isInFlight(state.withLock { $0.table.count }) }

    func tell(_ kind: RequestEvent.Kind, _ job: Job) {
        log.tell(
            kind, job.key, recipient: job.request.recipient, at: clock.date,
            elapsed: job.request.budget.received.duration(to: clock.now))
    }
}

extension EmittedContent {
    init(_ notification: ProcessedNotification, of key: RequestKey) {
        self.init(
            key: key, outcome: notification.outcome, reason: notification.reason,
            json: JSONWriter.bytes(of: notification.json))
    }
}
