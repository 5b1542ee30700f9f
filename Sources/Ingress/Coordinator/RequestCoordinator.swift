import Digests
import FoundationEssentials
import JSON
package import Logging
package import NotificationModel
import ServiceLifecycle

/// The one counter behind every way in: requests are handed in, made durable, processed, and emitted exactly once.
///
/// In come submissions from the spool, from HTTP, from a journal after a restart; out go contents: to who waits, and
/// through the journal to the outbox. Refused: envelopes that are unusable, an id that is another request's, more
/// requests than there is room for. A caller who waits leaves by cancelling its task; a request that only such callers
/// wanted ends with the last of them.
///
/// `RequestTable` decides; this shell holds it under a lock, and performs: lock, decide, unlock, act. A result that the
/// disk does not take in time reaches its callers at the deadline all the same; one that it has not taken when the daemon
/// ends is the next start's.
package final class RequestCoordinator: RequestIntake, Service {
    package struct Limits: Sendable {
        /// Requests on their way at a time; more are refused.
        package var requests: Int
        /// Requests with media that are worked on at a time. The others wait for a permit, each until its stages end.
        package var inFlight: Int
        /// What a caller who was refused is told to wait.
        package var retryAfter: Duration = .seconds(1)
        /// A request at which so many daemons ended goes straight to text.
        package var mostAttempts = 2
        /// A daemon that is ending waits so long for a disk that has not taken a result by its deadline.
        package var lastWrite: Duration = .seconds(1)

        package init(requests: Int, inFlight: Int = 1_024) {
            self.requests = requests
            self.inFlight = inFlight
        }
    }

    /// A class, since each of its tasks holds it for as long as it waits, thousands at a time.
    final class Job: Sendable {
        let request: NotificationRequest
        let reading: PushPayload
        let origin: RequestOrigin
        /// Of the body.
        let byteCount: Int
        /// The lease of a large body.
        let lease: ByteLease?
        /// Whether any media is to be worked on: that needs a permit.
        let waitsForMedia: Bool
        /// Or given up.
        let published = Latch()

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

    /// A request whose work can begin.
    struct Turn: Sendable {
        let job: Job
        /// Whether it has a permit, which is to be released once.
        let hasPermit: Bool
        let wasQueued: Bool
    }

    struct State: ~Copyable {
        var ledger: RequestTable
        var isClosing = false
        /// The requests under way that have released their permits, because they wait for a host.
        var withoutPermit: Set<RequestKey> = []
        /// Whether nothing is emitted any more, so that nothing is waited for.
        var hasEnded = false
        var lastCaller: RequestTable.Caller = 0
        var joining: [RequestTable.Caller: CheckedContinuation<Admission, Never>] = [:]
        /// For those who joined and had not begun to wait.
        var answers: [RequestTable.Caller: Admission] = [:]
        var waiting: [RequestTable.Caller: CheckedContinuation<EmittedContent?, Never>] = [:]
        /// Left before they had begun to wait.
        var gone: Set<RequestTable.Caller> = []
        var work: [RequestKey: Task<Void, Never>] = [:]
        /// Tickets of the requests that wait for a permit.
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
        state = Guarded(State(ledger: RequestTable(capacity: limits.requests)))
        let (stream, continuation) = AsyncStream.makeStream(of: Turn.self)
        turns = (stream, continuation)
    }

    // MARK: The service

    /// Takes up what an earlier daemon accepted and did not emit, each with its original deadline.
    ///
    /// - Returns: them, and where they came from.
    /// - Throws: when the journal cannot be read.
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
                state.ledger.recover(
                    entry.key, fingerprint: entry.fingerprint, providerID: job.reading.providerID, origin: entry.origin)
            }
            metrics.hasRecovered()
            enqueue(job)
        }
        countInFlight()
        return Dictionary(entries.map { ($0.key, $0.origin) }) { first, _ in first }
    }

    /// Works until the graceful shutdown, and then until the last request is emitted.
    package func run() async throws {
        await withGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                for await turn in turns.stream { group.addTask { await self.work(on: turn) } }
            }
        } onGracefulShutdown: {
            self.close()
        }
        log.close()
        // Accepted while the daemon was ending: the next start emits it.
        let waiting = state.withLock { state in
            state.hasEnded = true
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume(returning: nil) }
    }

    /// Accepts no more requests. The last queued request ends the stream of turns.
    package func close() {
        state.withLock { state in
            state.isClosing = true
            if state.tickets.isEmpty { turns.continuation.finish() }
        }
        closing.signal()
    }

    // MARK: Handing in

    package func submit(_ submission: Submission) async -> Admission {
        let (request, error) = reader.request(from: submission)
        if let error { return .unusable(error) }
        // Who gave it an id can ask for it again, and need not stay.
        let origin = submission.origin == .call && request.isKeyed ? .detached : submission.origin
        let job = Job(
            request, by: processor, from: origin, byteCount: submission.body.count, lease: submission.lease)
        let fingerprint = SHA256.hash(submission.body)
        let (arrival, caller) = state.withLock { state in
            state.lastCaller += 1
            guard !state.isClosing else { return (RequestTable.Arrival?.none, state.lastCaller) }
            let arrival = state.ledger.arrive(
                job.key, fingerprint: fingerprint, providerID: job.reading.providerID, origin: origin,
                as: state.lastCaller)
            return (arrival, state.lastCaller)
        }
        switch arrival {
        case nil: return .closing
        case .full:
            metrics.hasRefused()
            return .full(retryAfter: limits.retryAfter)
        case .conflict: return .conflict(job.key)
        case .joined: return .joined(job.key)
        case .joins: return await join(as: caller)
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

    /// Refuses the media that the workers have no time for before the request is accepted: one transaction takes the
    /// request and its result then, and no permit is needed.
    private func settledIfOverloaded(_ job: Job) async -> Job {
        guard !job.origin.isSpool, job.waitsForMedia,
            let refusal = await processor.overload(of: job.request, as: job.reading)
        else { return job }
        var request = job.request
        request.mediaRefusal = refusal
        return Job(request, job.reading, by: processor, from: job.origin, byteCount: job.byteCount, lease: job.lease)
    }

    /// Returns the result of a request that waits for nothing, so that one transaction takes the request and its result;
    /// `nil` for all others. `daemon-bench`: 1.3 times the rate of two transactions, 1.9 times with 5 ms more a sync.
    private func immediateResult(of job: Job) async -> EmittedContent? {
        guard !job.origin.isSpool, !job.waitsForMedia, job.reading.localization.isEmpty else { return nil }
        let result = Guarded<EmittedContent?>(nil)
        // Only the index of media can fail, and there are none.
        try? await processor.process(
            job.request, as: job.reading, queuedSince: nil, progress: { _ in },
            emit: { notification in
                let content = EmittedContent(notification, of: job.key)
                logUnknownPayload(of: notification, job)
                result.withLock { $0 = content }
            })
        return result.withLock(\.self)
    }

    /// Whether what is in the outbox under the id is of the same payload: the journal has forgotten its body.
    private func isResult(of request: NotificationRequest, _ key: RequestKey) async -> Bool {
        guard let content = await journal.content(of: key), let json = try? JSONParser.value(of: content.json) else {
            return false
        }
        return json["content"]["userInfo"] == .object(request.payload)
    }

    /// Waits for the journal's word about the same request that another caller handed in.
    private func join(as caller: RequestTable.Caller) async -> Admission {
        await withCheckedContinuation { continuation in
            let answer = state.withLock { state in
                let answer = state.answers.removeValue(forKey: caller)
                if answer == nil { state.joining[caller] = continuation }
                return answer
            }
            if let answer { continuation.resume(returning: answer) }
        }
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
            let callers = isAccepted ? state.ledger.accepted(entry.key) : state.ledger.refused(entry.key)
            if isAccepted {
                state.accepted += 1
                if let result { _ = state.ledger.composed(result) }
            }
            return callers.compactMap { caller in
                let continuation = state.joining.removeValue(forKey: caller)
                if continuation == nil { state.answers[caller] = others }
                return continuation
            }
        }
        if isAccepted {
            metrics.hasAccepted()
            countInFlight()
            tell(.accepted, job)
            if let result { published(result, job) } else { enqueue(job) }
        }
        for continuation in joining { continuation.resume(returning: others) }
        return admission
    }
}
