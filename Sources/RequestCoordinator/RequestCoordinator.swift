import Digests
import FoundationEssentials
import JSON
package import Logging
package import NotificationModel
package import Primitives
import ServiceLifecycle

/// The coordinator of all requests. It makes them durable, processes them, and emits each exactly once.
///
/// **Input.** Submissions from the spool and from HTTP, and the requests that the journal recovers after a restart.
///
/// **Output.** Contents, for the waiting callers and through the journal for the outbox. If the disk is slow, the
/// callers get the result at the deadline although it is not durable. If a result is not durable when the daemon ends,
/// the next daemon emits it.
///
/// **Refused.** An unusable envelope, an id of another request, and more requests than the limits allow.
///
/// **Threads.** `RequestTable` makes the decisions. Any thread may call the coordinator, which holds the table under a
/// lock and acts after the lock is released. Work runs in the cooperative pool. Work for large payloads runs in the
/// `LargePayloadExecutor`.
///
/// **Cancellation.** A caller stops waiting by cancelling its task. A request that depends on its callers is cancelled
/// when the last of them stops waiting. A graceful shutdown ends `run()` after the last result.
package final class RequestCoordinator: RequestIntake, Service {
    package struct Limits: Sendable {
        /// The maximum number of requests that are accepted, but not yet emitted. Further requests are refused.
        package var requests: Int
        /// The maximum number of requests with media that are processed at a time. Each other request waits for a
        /// permit until its stages end.
        package var inFlight: Int
        /// The time that a refused caller should wait before it tries again.
        package var retryAfter: Duration = .seconds(1)
        /// The number of attempts after which a request is emitted without media. An attempt fails if the daemon ends
        /// while it processes the request.
        package var mostAttempts = 2
        /// The time for which an ending daemon waits, after the deadline of a result, for a slow disk.
        package var lastWrite: Duration = .seconds(1)

        package init(requests: Int, inFlight: Int) {
            self.requests = requests
            self.inFlight = inFlight
        }
    }

    /// A request, with the payload as a dialect has read it. It is a class, because thousands of waiting tasks may hold
    /// it at a time.
    final class Job: Sendable {
        let request: NotificationRequest
        let reading: PushPayload
        let origin: RequestOrigin
        /// The size of the body, in bytes.
        let byteCount: Int
        /// The lease of a large body; `nil` if the body is small.
        let lease: ByteLease?
        /// Whether the request has media to process, which needs a permit.
        let waitsForMedia: Bool
        /// The event of the published result. It is also signalled when the ending daemon gives up the result.
        let published = AsyncEvent()

        init(
            _ request: NotificationRequest, _ reading: PushPayload? = nil, by processor: any NotificationProcessing,
            from origin: RequestOrigin, byteCount: Int, lease: ByteLease? = nil
        ) {
            let reading = reading ?? processor.reading(of: request)
            self.request = request
            self.reading = reading
            waitsForMedia = processor.waitsForMedia(request, as: reading)
            self.origin = origin
            self.byteCount = byteCount
            self.lease = lease
        }

        var key: RequestKey { RequestKey(group: request.appGroup, id: request.id) }
        var metadata: Logger.Metadata { ["id": "\(request.id)", "group": "\(request.appGroup)"] }
    }

    /// A request whose work can begin. The stream of turns delivers it to `run()`.
    struct Turn: Sendable {
        let job: Job
        /// Whether the request has a permit, which is to be released once.
        let hasPermit: Bool
        let wasQueued: Bool
    }

    struct State: ~Copyable {
        var table: RequestTable
        var isClosing = false
        /// The running requests that have released their permits, because they wait for a host.
        var withoutPermit: Set<RequestKey> = []
        /// Whether no more results are emitted, so that no caller may wait.
        var hasEnded = false
        var lastCaller: RequestTable.Caller = 0
        var joining: [RequestTable.Caller: Waiter<Admission>] = [:]
        var waiting: [RequestTable.Caller: Waiter<EmittedContent?>] = [:]
        var work: [RequestKey: Task<Void, Never>] = [:]
        /// The tickets of the requests that wait for a permit.
        var tickets: [RequestKey: AsyncSemaphore.Ticket] = [:]
        var accepted = 0
        var emitted: [Outcome: Int] = [:]
    }

    private let reader: any RequestReading
    let processor: any NotificationProcessing
    let journal: any RequestJournaling
    let clock: any RequestClock
    let limits: Limits
    let logger: Logger
    let large: LargePayloadExecutor
    let metrics = CoordinatorMetrics()
    let log: EventBroadcaster
    let state: Guarded<State>
    let closing = AsyncEvent()
    let permits: AsyncSemaphore
    let turns: (stream: AsyncStream<Turn>, continuation: AsyncStream<Turn>.Continuation)

    package init(
        reader: any RequestReading, processor: any NotificationProcessing, journal: any RequestJournaling,
        clock: any RequestClock, limits: Limits, large: LargePayloadExecutor = LargePayloadExecutor(), logger: Logger
    ) {
        self.reader = reader
        self.processor = processor
        self.journal = journal
        self.clock = clock
        self.limits = limits
        self.large = large
        self.logger = logger
        log = EventBroadcaster(startedAt: clock.date)
        permits = AsyncSemaphore(permits: limits.inFlight)
        state = Guarded(State(table: RequestTable(capacity: limits.requests)))
        let (stream, continuation) = AsyncStream.makeStream(of: Turn.self)
        turns = (stream, continuation)
    }

    // MARK: The life of the service

    /// Recovers the requests that an earlier daemon accepted and did not emit, each with its original deadline.
    ///
    /// - Returns: The recovered requests, with their origins.
    /// - Throws: The error of the journal if it cannot be read.
    @discardableResult
    package func recover() async throws(MediaFailure) -> [RequestKey: RequestOrigin] {
        let entries = try await journal.recover()
        let arrival = clock.arrival
        for entry in entries {
            let object = (try? JSONParser.value(of: entry.body).object) ?? JSONObject()
            let age = Duration.seconds(max(0, arrival.date.timeIntervalSince(entry.receivedAt)))
            let received = Arrival(instant: arrival.instant.advanced(by: .zero - age), date: entry.receivedAt)
            var (request, _) = reader.request(
                from: Submission(body: entry.body, object: object, origin: entry.origin, arrival: received))
            request.id = entry.key.id
            request.appGroup = entry.key.group
            let longestReserve = request.budget.longestReserve
            request.budget = TimeBudget(
                received: received.instant, length: .seconds(entry.deadline.timeIntervalSince(entry.receivedAt)))
            request.budget.longestReserve = longestReserve
            if entry.attempts >= limits.mostAttempts {
                request.mediaRefusal = MediaFailure(
                    .internal, "the daemon ended \(entry.attempts) times while it processed this request")
            }
            let job = Job(request, by: processor, from: entry.origin, byteCount: entry.body.count)
            state.withLock { state in
                state.table.recover(
                    entry.key, fingerprint: entry.fingerprint, providerID: job.reading.providerID, origin: entry.origin)
            }
            metrics.hasRecovered()
            enqueue(job)
        }
        countInFlight()
        return Dictionary(entries.map { ($0.key, $0.origin) }) { first, _ in first }
    }

    /// Processes requests until the graceful shutdown, and then until the last accepted request is emitted.
    package func run() async throws {
        await withGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                for await turn in turns.stream { group.addTask { await self.work(on: turn) } }
            }
        } onGracefulShutdown: {
            self.close()
        }
        log.close()
        // The requests that still wait were accepted while the daemon was ending. The next start emits them.
        let waiting = state.withLock { state in
            state.hasEnded = true
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for waiter in waiting { waiter.resume(returning: nil) }
    }

    /// Closes the coordinator for new requests. The stream of turns ends after the last queued request.
    package func close() {
        state.withLock { state in
            state.isClosing = true
            if state.tickets.isEmpty { turns.continuation.finish() }
        }
        closing.signal()
    }

    // MARK: Submission of requests

    package func submit(_ submission: Submission) async -> Admission {
        let (request, error) = reader.request(from: submission)
        if let error { return .unusable(error) }
        // A caller that gave the request an id can ask for the result later, so the request need not depend on this
        // caller.
        let origin = submission.origin == .call && request.isKeyed ? .detached : submission.origin
        let job = Job(
            request, by: processor, from: origin, byteCount: submission.body.count, lease: submission.lease)
        let fingerprint = SHA256.hash(submission.body)
        let joining = Waiter<Admission>()
        let arrival: RequestTable.Arrival? = state.withLock { state in
            state.lastCaller += 1
            guard !state.isClosing else { return nil }
            let arrival = state.table.arrive(
                job.key, fingerprint: fingerprint, providerID: job.reading.providerID, origin: origin,
                as: state.lastCaller)
            if arrival == .joins { state.joining[state.lastCaller] = joining }
            return arrival
        }
        switch arrival {
        case nil: return .closing
        case .full:
            metrics.hasRefused()
            return .full(retryAfter: limits.retryAfter)
        case .conflict: return .conflict(job.key)
        case .joined: return .joined(job.key)
        case .joins: return await joining.value()
        case .new:
            let job = await settledIfOverloaded(job)
            let entry = JournalEntry(
                key: job.key, origin: origin, fingerprint: fingerprint, body: submission.body,
                receivedAt: request.receivedAt,
                deadline: request.receivedAt.addingTimeInterval(request.budget.length.seconds))
            let result = await immediateResult(of: job)
            var answer = await journal.accept(entry, with: result)
            if answer == .known(fingerprint: nil), await isResult(of: request, job.key) {
                answer = .known(fingerprint: fingerprint)
            }
            return settle(answer, of: entry, result, job)
        }
    }

    /// Refuses the media that the workers cannot process in time, before the request is accepted. One transaction then
    /// commits the request and its result, and the request needs no permit.
    private func settledIfOverloaded(_ job: Job) async -> Job {
        guard !job.origin.isSpool, job.waitsForMedia,
            let refusal = await processor.overload(of: job.request, as: job.reading)
        else { return job }
        var request = job.request
        request.mediaRefusal = refusal
        return Job(request, job.reading, by: processor, from: job.origin, byteCount: job.byteCount, lease: job.lease)
    }

    /// Returns the result of a request that need not wait, so that one transaction commits the request and its result.
    /// Returns `nil` if the request has to wait or comes from the spool. In `daemon-bench`, one transaction has 1.3
    /// times the rate of two transactions, and 1.9 times their rate if each sync takes 5 ms more.
    private func immediateResult(of job: Job) async -> EmittedContent? {
        guard !job.origin.isSpool, !job.waitsForMedia, job.reading.localization.isEmpty else { return nil }
        let result = Guarded<EmittedContent?>(nil)
        // `process` throws only if the index of media fails, and this request has no media.
        try? await processor.process(
            job.request, as: job.reading, queuedSince: nil, progress: { _ in },
            emit: { notification in
                let content = EmittedContent(notification, of: job.key)
                logUnknownPayload(of: notification, job)
                result.withLock { $0 = content }
            })
        return result.withLock(\.self)
    }

    /// Returns whether the result in the outbox under the id comes from the same payload. The journal no longer has the
    /// body to compare.
    private func isResult(of request: NotificationRequest, _ key: RequestKey) async -> Bool {
        guard let content = await journal.content(of: key), let json = try? JSONParser.value(of: content.json) else {
            return false
        }
        return json["content"]["userInfo"] == .object(request.payload)
    }

    private func settle(
        _ answer: JournalAnswer, of entry: JournalEntry, _ result: EmittedContent?, _ job: Job
    ) -> Admission {
        let (admission, others): (Admission, Admission)
        switch answer {
        case .accepted:
            (admission, others) = (result.map(Admission.emitted) ?? .accepted(entry.key), .joined(entry.key))
        case .known(let fingerprint):
            let isSame = !entry.origin.isSpool && fingerprint == entry.fingerprint
            admission = isSame ? .joined(entry.key) : .conflict(entry.key)
            others = admission
        case .failed(let problem):
            logger.error("not accepted: \(problem)", metadata: job.metadata)
            (admission, others) = (.failed(problem), .failed(problem))
        }
        let isAccepted = answer == .accepted
        let joining = state.withLock { state in
            let callers = isAccepted ? state.table.accepted(entry.key) : state.table.refused(entry.key)
            if isAccepted {
                state.accepted += 1
                if let result { _ = state.table.composed(result) }
            }
            return callers.compactMap { state.joining.removeValue(forKey: $0) }
        }
        if isAccepted {
            metrics.hasAccepted()
            countInFlight()
            tell(.accepted, job)
            if let result { published(result, job) } else { enqueue(job) }
        }
        for waiter in joining { waiter.resume(returning: others) }
        return admission
    }
}
