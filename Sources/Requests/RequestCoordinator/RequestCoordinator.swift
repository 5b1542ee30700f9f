package import Base
import Digests
import FoundationEssentials
package import Logging
package import NotificationModel
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
///
/// To add a new way in, do this: write a service that makes a `Submission` of each request, calls `submit(_:)`, and
/// acts on the `Admission`. The services of a `Feature` start after the coordinator and end before it. Deadlines,
/// duplicates and cancellation are then those of all requests.
package final class RequestCoordinator: RequestIntake, Service {
    package struct Limits: Sendable {
        /// The maximum number of requests that are accepted, but not yet emitted. Further requests are refused.
        package var requests: Int
        /// The maximum number of requests with media that are processed at a time. Each other request waits for a
        /// permit until its stages end.
        package var inFlight: Int
        /// The time that a refused caller should wait before it tries again.
        package var retryAfter: Duration = .seconds(1)
        /// The number of attempts after which a request is emitted without media. An attempt fails if the daemon ends.
        package var maxAttempts = 2
        /// The number of times that a request is planned before it is refused, because its recipient changes meanwhile.
        package var maxPlans = 8
        /// The maximum number of emitted requests whose messages wait for the index. Further callers wait themselves.
        package var records = 1_024
        /// The time for which an ending daemon waits, after the deadline of a result, for a slow disk.
        package var lastWrite: Duration = .seconds(1)

        package init(requests: Int, inFlight: Int) {
            self.requests = requests
            self.inFlight = inFlight
        }
    }

    struct State: ~Copyable {
        var table: RequestTable
        var recent: RecentResults
        var isClosing = false
        /// The requests that have a permit, which is to be released once.
        var permitHolders: Set<RequestKey> = []
        /// Whether no more results are emitted, so that no caller may wait.
        var hasEnded = false
        /// The maximum number of unfinished requests of each group; `nil` if only the limit of all requests applies.
        var groupLimits = PerGroup<Int?>(nil)
        var lastCaller: RequestTable.Caller = 0
        var lastSingleRequest: MonotonicInstant?
        var joining: [RequestTable.Caller: Waiter<Admission>] = [:]
        var waiting: [RequestTable.Caller: Waiter<EmittedContent?>] = [:]
        /// The accepted requests without a published result, for their cancellation.
        var planned: [RequestKey: any PlannedNotification] = [:]
        /// The tokens of the requests that wait for a permit.
        var tickets: [RequestKey: AsyncSemaphore.WaiterToken] = [:]
        var accepted = 0
        var emitted: [Outcome: Int] = [:]
        /// The number of emitted requests whose messages wait for the index.
        var unrecorded = 0
    }

    private let decoder: any RequestDecoding
    let journal: any RequestJournaling
    package let clock: any RequestClock
    let limits: Limits
    let logger: Logger
    let large: LargePayloadExecutor
    let metrics = CoordinatorMetrics()
    package let log: EventBroadcaster
    let samples = RequestSamples()
    let state: Guarded<State>
    /// The intake of the receipts in events of providers; `nil` if nothing takes them.
    private let reported = Guarded<(any ReportedReceiptIntake)?>(nil)
    let closing = AsyncEvent()
    let permits: AsyncSemaphore
    /// The requests whose work can begin. The table bounds their number, and `Limits.records` that of emitted requests.
    let ready: (stream: AsyncStream<InFlightRequest>, continuation: AsyncStream<InFlightRequest>.Continuation)

    package init(
        decoder: any RequestDecoding, journal: any RequestJournaling, clock: any RequestClock, limits: Limits,
        groupLimits: PerGroup<Int?> = PerGroup(nil), large: LargePayloadExecutor = LargePayloadExecutor(),
        logger: Logger
    ) {
        self.decoder = decoder
        self.journal = journal
        self.clock = clock
        self.limits = limits
        self.large = large
        self.logger = logger
        log = EventBroadcaster(startedAt: clock.date)
        permits = AsyncSemaphore(permits: limits.inFlight)
        state = Guarded(State(table: RequestTable(capacity: limits.requests), recent: RecentResults(at: clock.now)))
        ready = AsyncStream.makeStream(of: InFlightRequest.self)
        change(groupLimits)
    }

    /// Changes the limits of single groups. Accepted requests are not affected.
    package func change(_ limits: PerGroup<Int?>) { state.withLock { $0.groupLimits = limits } }

    /// Sets the intake of the receipts in events of providers.
    package func report(to intake: any ReportedReceiptIntake) { reported.withLock { $0 = intake } }

    // MARK: The life of the service

    /// Recovers the requests that an earlier daemon accepted and did not emit, each with its original deadline.
    ///
    /// - Returns: The recovered requests, with their channels.
    /// - Throws: The error of the journal if it cannot be read.
    @discardableResult
    package func recover() async throws(MediaFailure) -> [RequestKey: RequestChannel] {
        let entries = try await journal.recover()
        let now = clock.reading
        for entry in entries {
            let refusal =
                entry.attempts < limits.maxAttempts
                ? nil
                : MediaFailure(.internal, "the daemon ended \(entry.attempts) times while it processed this request")
            let planned = await decoder.decode(entry, at: now, refusing: refusal)
            let isCancelled = state.withLock { state in
                state.table.recover(
                    entry.key, fingerprint: entry.fingerprint, providerID: planned.providerID, channel: entry.channel)
                state.planned[entry.key] = planned
                return state.table.isCancelled(entry.key)
            }
            if isCancelled { planned.cancel() }
            metrics.countRecovered()
            enqueue(InFlightRequest(planned: planned, channel: entry.channel, byteCount: entry.body.count, lease: nil))
        }
        countInFlight()
        return Dictionary(entries.map { ($0.key, $0.channel) }) { first, _ in first }
    }

    /// Processes requests until the graceful shutdown, and then until the last accepted request is emitted.
    package func run() async throws {
        await withGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                for await request in ready.stream {
                    group.addTask(executorPreference: large.executor(forBytes: request.byteCount)) {
                        await self.process(request)
                    }
                }
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

    /// Closes the coordinator for new requests. The stream of requests ends after the last queued request.
    package func close() {
        state.withLock { state in
            state.isClosing = true
            if state.tickets.isEmpty { ready.continuation.finish() }
        }
        closing.signal()
    }

    // MARK: Submission of requests

    package func submit(_ submission: Submission) async -> Admission {
        let planned: any PlannedNotification
        do throws(EnvelopeError) { planned = try await decoder.decode(submission) } catch { return .unusable(error) }
        // A caller that gave the request an id can ask for the result later, so the request outlives the call.
        let channel = submission.channel == .call && planned.request.isKeyed ? .detached : submission.channel
        var request = InFlightRequest(
            planned: planned, channel: channel, byteCount: submission.body.count, lease: submission.lease,
            permit: submission.permit)
        let fingerprint = Self.fingerprint(of: submission)
        let joining = Waiter<Admission>()
        let entrance: RequestTable.Entrance? = state.withLock { state in
            state.lastCaller += 1
            if !submission.isBatched { state.lastSingleRequest = submission.arrival.instant }
            guard !state.isClosing else { return nil }
            let entrance = state.table.enter(
                request.key, fingerprint: fingerprint, providerID: planned.providerID, channel: channel,
                as: state.lastCaller, maxOfGroup: state.groupLimits[request.key.group] ?? .max)
            if entrance == .joins { state.joining[state.lastCaller] = joining }
            return entrance
        }
        switch entrance {
        case nil: return .closing
        case .full:
            metrics.countRefused()
            return .full(retryAfter: limits.retryAfter)
        case .groupFull:
            metrics.countRefused()
            return .groupFull(retryAfter: limits.retryAfter)
        case .conflict: return .conflict(request.key)
        case .joined: return .joined(request.key)
        case .joins: return await joining.value()
        case .new:
            let received = planned.request.receivedAt
            var entry = JournalEntry(
                key: request.key, channel: channel, fingerprint: fingerprint,
                body: Self.storedBody(of: submission, planned.request),
                receivedAt: received, deadline: received.addingTimeInterval(request.budget.length.seconds))
            entry.template = submission.template
            // The receipt is stored before the event is accepted, so that no kill loses it. A known event has reported it.
            if let receipt = planned.receipt, let intake = reported.withLock({ $0 }),
                await journal.content(of: request.key) == nil, await !intake.record(receipt)
            {
                return finishAdmission(.failed("the receipt of the event was not stored"), of: entry, nil, request)
            }
            var (answer, result) = await accept(entry, request)
            for _ in 1..<limits.maxPlans where answer == .stale {
                request = request.replacing(await request.planned.replanned())
                // An erasure that began meanwhile must not miss the request.
                guard request.planned.request.recipientLookup?.stored?.isErased != true else {
                    answer = .failed("its receiver was erased")
                    break
                }
                (answer, result) = await accept(entry, request)
            }
            if answer == .known(fingerprint: nil), await isResult(of: planned.request, request.key) {
                answer = .known(fingerprint: fingerprint)
            }
            let admission = finishAdmission(answer, of: entry, result, request)
            if answer == .accepted, result != nil { await recordEmitted(request) }
            return admission
        }
    }

    /// Makes a request durable, together with its result if it is decided.
    private func accept(
        _ entry: JournalEntry, _ request: InFlightRequest
    ) async -> (answer: JournalAnswer, result: EmittedContent?) {
        // The refused request and its result are committed by one transaction, and need no permit.
        if !request.channel.isSpool { await request.planned.refuseIfOverloaded() }
        var entry = entry
        entry.recipientMark = request.recipientMark
        let result = await immediateResult(of: request)
        return (await journal.accept(entry, with: result), result)
    }

    /// Returns the body that the journal stores: that of the submission, with a `traceparent` that only its transport has.
    private static func storedBody(of submission: Submission, _ request: NotificationRequest) -> [UInt8] {
        guard let traceParent = submission.trace.parent,
            !request.isInEnvelope || submission.object["traceparent"] == nil
        else { return submission.body }
        return traceParent.adding(
            to: submission.body, isEnvelope: request.isInEnvelope, deepest: JSONParser.deepestNesting)
    }

    /// Returns the digest of the body, and of the template that it completes.
    private static func fingerprint(of submission: Submission) -> [UInt8] {
        var hash = SHA256()
        hash.update(submission.body.span)
        if let digest = submission.template?.digest { hash.update(digest.span) }
        return hash.finalize()
    }

    /// Returns the result of a request that is decided, so that one transaction commits the request and its result.
    /// Returns `nil` if the request has to wait or comes from the spool. In `daemon-bench`, one transaction has 1.3
    /// times the rate of two transactions, and 1.9 times their rate if each sync takes 5 ms more.
    private func immediateResult(of request: InFlightRequest) async -> EmittedContent? {
        guard !request.channel.isSpool, request.planned.isDecided else { return nil }
        let notification = await request.planned.notification()
        logUnknownPayload(of: notification, request)
        return content(of: notification, for: request)
    }

    /// Returns whether the result in the outbox under the id comes from the same payload. The journal no longer has the
    /// body to compare.
    private func isResult(of request: NotificationRequest, _ key: RequestKey) async -> Bool {
        guard let content = await journal.content(of: key), let json = try? JSONParser.value(of: content.json) else {
            return false
        }
        return json["content"]["userInfo"] == .object(request.payload)
    }

    private func finishAdmission(
        _ answer: JournalAnswer, of entry: JournalEntry, _ result: EmittedContent?, _ request: InFlightRequest
    ) -> Admission {
        let (admission, others): (Admission, Admission)
        switch answer {
        case .accepted:
            (admission, others) = (result.map(Admission.emitted) ?? .accepted(entry.key), .joined(entry.key))
        case .known(let fingerprint):
            let isSame = !entry.channel.isSpool && fingerprint == entry.fingerprint
            admission = isSame ? .joined(entry.key) : .conflict(entry.key)
            others = admission
        // Only an import that never ends changes the recipients so often, or recipients that cannot be read.
        case .stale: (admission, others) = (.full(retryAfter: limits.retryAfter), .full(retryAfter: limits.retryAfter))
        case .failed(let problem):
            logger.error("not accepted: \(problem)", metadata: request.metadata)
            (admission, others) = (.failed(problem), .failed(problem))
        }
        let isAccepted = answer == .accepted
        let joining = state.withLock { state in
            let callers = isAccepted ? state.table.accepted(entry.key) : state.table.refused(entry.key)
            if isAccepted {
                state.accepted += 1
                if let result {
                    state.table.composed(result)
                } else {
                    state.planned[entry.key] = request.planned
                }
            }
            return callers.compactMap { state.joining.removeValue(forKey: $0) }
        }
        if isAccepted {
            metrics.countAccepted()
            countInFlight()
            tell(.accepted, request)
            if let result { reportPublished(result, of: request) } else { enqueue(request) }
        }
        for waiter in joining { waiter.resume(returning: others) }
        return admission
    }
}
