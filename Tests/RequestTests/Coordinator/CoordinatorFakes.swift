import Base
import FoundationEssentials
import Logging
import NotificationModel
import TestSupport

@testable import RequestCoordinator

/// A journal in memory, whose answers a test can delay.
final class FakeJournal: RequestJournaling {
    private struct State {
        var entries: [RequestKey: JournalEntry] = [:]
        var contents: [RequestKey: EmittedContent] = [:]
        var emissions: [EmittedContent] = []
        var recovered: [JournalEntry] = []
        var hasLookedUp = false
        /// The names whose recipients have changed, with the revisions of their changes.
        var changes: [String: UInt64] = [:]
    }

    private let state = Guarded(State())
    private let answer: JournalAnswer?
    private let acceptance: Gate?
    private let laterAcceptance: Gate?
    private let publication: Gate?
    private let report: Gate?
    private let composition: Gate?
    private let lookup: Gate?
    /// An event that is signalled when `content` is called.
    let lookedUp = AsyncEvent()

    /// - Parameter answer: The answer to every entry; `nil` for the answer of an empty journal.
    /// - Parameter acceptance: A gate that delays every answer until the gate opens.
    /// - Parameter laterAcceptance: A gate that delays every answer except the first until the gate opens.
    /// - Parameter publication: A gate that delays every result until the gate opens.
    /// - Parameter report: A gate that delays the report of every published result until the gate opens.
    /// - Parameter composition: A gate that opens when a result is emitted.
    /// - Parameter lookup: A gate that delays the first answer of `content` until the gate opens.
    init(
        answer: JournalAnswer? = nil, acceptance: Gate? = nil, laterAcceptance: Gate? = nil, publication: Gate? = nil,
        report: Gate? = nil, composition: Gate? = nil, lookup: Gate? = nil, recovered: [JournalEntry] = []
    ) {
        self.answer = answer
        self.acceptance = acceptance
        self.laterAcceptance = laterAcceptance
        self.publication = publication
        self.report = report
        self.composition = composition
        self.lookup = lookup
        state.withLock { $0.recovered = recovered }
    }

    var emissions: [EmittedContent] { state.withLock { $0.emissions } }

    func accept(_ entry: JournalEntry, with result: EmittedContent?) async -> JournalAnswer {
        await acceptance?.wait()
        if !state.withLock({ $0.entries.isEmpty }) { await laterAcceptance?.wait() }
        if let answer { return answer }
        if let mark = entry.recipientMark, isStale(mark) { return .stale }
        return state.withLock { state in
            if let known = state.entries[entry.key] { return .known(fingerprint: known.fingerprint) }
            state.entries[entry.key] = entry
            if let result {
                state.emissions.append(result)
                state.contents[entry.key] = result
            }
            return .accepted
        }
    }

    func publish(_ content: EmittedContent, from channel: RequestChannel) -> Waiter<Bool> {
        let published = Waiter<Bool>()
        composition?.open()
        let finish: @Sendable () -> Void = { [self] in
            state.withLock { state in
                state.emissions.append(content)
                state.contents[content.key] = content
            }
            if let report {
                report.whenOpen { published.resume(returning: true) }
            } else {
                published.resume(returning: true)
            }
        }
        if let publication { publication.whenOpen(finish) } else { finish() }
        return published
    }

    func keepUndelivered(_ key: RequestKey) {}

    /// Records a change of a recipient.
    func change(_ name: String, to revision: UInt64) { state.withLock { $0.changes[name] = revision } }

    func isStale(_ mark: RecipientMark) -> Bool {
        state.withLock { ($0.changes[mark.name.name] ?? 0) > mark.revision }
    }

    var isWritable: Bool { true }

    func content(of key: RequestKey) async -> EmittedContent? {
        let (content, isFirst) = state.withLock { state in
            defer { state.hasLookedUp = true }
            return (state.contents[key], !state.hasLookedUp)
        }
        lookedUp.signal()
        if isFirst { await lookup?.wait() }
        return content
    }

    func recover() async throws(MediaFailure) -> [JournalEntry] { state.withLock { $0.recovered } }
}

/// A gate that is closed until a test opens it.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [@Sendable () -> Void] = []
    }

    private let state = Guarded(State())

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for closure in waiting { closure() }
    }

    func whenOpen(_ closure: @escaping @Sendable () -> Void) {
        let isOpen = state.withLock { state in
            if !state.isOpen { state.waiting.append(closure) }
            return state.isOpen
        }
        if isOpen { closure() }
    }

    func wait() async {
        await withCheckedContinuation { continuation in whenOpen { continuation.resume() } }
    }
}

/// A decoder that uses only the id and a few keys of a submission. Its requests are decided when a test opens its gate,
/// or when they are cancelled.
final class FakeDecoder: RequestDecoding {
    let gate: Gate?
    let emission: Gate?
    let lane: OwnThreadExecutor
    private let decisions = Guarded(0)
    private let count = Guarded(0)
    private let inLane = Guarded<[String]>([])
    private let begun = Guarded<[String]>([])
    private let records = Guarded<[String]>([])
    private let recipients = Guarded<[String: RecipientLookup.Stored]>([:])

    /// - Parameter gate: A gate that delays every decision until the gate opens.
    /// - Parameter emission: A gate that delays every result with a decided outcome until the gate opens.
    init(gate: Gate?, emission: Gate? = nil, lane: OwnThreadExecutor) {
        self.gate = gate
        self.emission = emission
        self.lane = lane
    }

    /// The ids of the requests that were processed in the executor of large payloads.
    var processedInLane: [String] { inLane.withLock(\.self) }

    /// The ids of the requests whose processing has started. A star marks a request that had waited for a permit.
    var processed: [String] { begun.withLock(\.self) }

    /// The ids of the requests whose messages are in the index. Only requests with the key `recorded` have a message.
    var recorded: [String] { records.withLock(\.self) }

    /// The number of requests whose outcome is decided.
    var decided: Int { decisions.withLock(\.self) }

    /// Stores a recipient that permits no service, or one that permits everything, under its version.
    func store(_ name: String, permits: Bool, version: Int) {
        var settings = PermissionSettings()
        settings[.service] = permits
        recipients.withLock { [settings] in $0[name] = RecipientLookup.Stored(settings: settings, version: version) }
    }

    /// Applies the stored recipient of a request, as the pipeline does.
    func look(at request: NotificationRequest) -> NotificationRequest {
        guard let name = request.recipient else { return request }
        var request = request
        let stored = recipients.withLock { $0[name] }
        let mark = RecipientMark(
            name: RecipientName(group: request.appGroup, name: name), revision: UInt64(stored?.version ?? 1))
        request.lay(RecipientLookup(mark: mark, stored: stored))
        return request
    }

    /// The number of times that a payload was decoded.
    var decodings: Int { count.withLock(\.self) }

    func hasBegun(_ id: RequestID, wasQueued: Bool) {
        begun.withLock { $0.append(id.description + (wasQueued ? "*" : "")) }
        if lane.isCurrent { inLane.withLock { $0.append(id.description) } }
    }

    func hasDecided() { decisions.withLock { $0 += 1 } }

    func hasRecorded(_ id: RequestID) { records.withLock { $0.append(id.description) } }

    func decode(_ submission: Submission) async throws(EnvelopeError) -> any PlannedNotification {
        if submission.object["unusable"] != nil { throw EnvelopeError(key: "unusable", problem: "is there") }
        count.withLock { $0 += 1 }
        return FakePlanned(request(from: submission), by: self)
    }

    func decode(
        _ entry: JournalEntry, at now: ClockReading, refusing refusal: MediaFailure?
    ) async -> any PlannedNotification {
        let object = (try? JSONParser.value(of: entry.body).object) ?? JSONObject()
        let age = Duration.seconds(now.date.timeIntervalSince(entry.receivedAt))
        let received = ClockReading(instant: now.instant.advanced(by: .zero - age), date: entry.receivedAt)
        let length = Duration.seconds(entry.deadline.timeIntervalSince(entry.receivedAt))
        var request = request(
            from: Submission(object: object, arrival: received, id: entry.key.id, budget: length))
        request.appGroup = entry.key.group
        request.mediaRefusal = refusal
        return FakePlanned(request, by: self)
    }

    private func request(from submission: Submission) -> NotificationRequest {
        var request = NotificationRequest(
            id: submission.id ?? submission.weakID ?? .new(millisecondsSince1970: 0),
            appGroup: submission.group ?? .default, profile: .ios,
            budget: TimeBudget(received: submission.arrival.instant, length: submission.budget ?? .seconds(30)),
            receivedAt: submission.arrival.date, payload: submission.object)
        request.isKeyed = submission.object["keyed"] != nil
        request.recipient = submission.object["recipient"]?.string
        request.labels = submission.object["labels"]?.array?.compactMap(\.string) ?? []
        return look(at: request)
    }
}

/// A request of a `FakeDecoder`. A request with the key `text` has no media items.
final class FakePlanned: PlannedNotification {
    private struct State {
        var refusal: MediaFailure?
        var isCancelled = false
        var wasQueued = false
    }

    let request: NotificationRequest
    var receipt: Receipt? { nil }
    private let decoder: FakeDecoder
    private let state: Guarded<State>
    private let decided = AsyncEvent()

    init(_ request: NotificationRequest, by decoder: FakeDecoder) {
        self.request = request
        self.decoder = decoder
        state = Guarded(State(refusal: request.mediaRefusal))
        if request.payload["text"] != nil || request.mediaRefusal != nil || !request.permissions.service {
            decided.signal()
        }
    }

    var providerID: String? { request.payload["providerId"]?.string }
    var thread: String? { request.payload["thread"]?.string }
    var stagesEnd: MonotonicInstant { request.budget.stagesEnd }
    var isDecided: Bool { decided.isSignalled }

    func refuseIfOverloaded() async {
        guard request.payload["overloaded"] != nil else { return }
        state.withLock { $0.refusal = MediaFailure(.overloaded, "the workers are busy") }
        decided.signal()
    }

    func replanned() async -> any PlannedNotification { FakePlanned(decoder.look(at: request), by: decoder) }

    func noteQueue() { state.withLock { $0.wasQueued = true } }

    func prepareMedia(progress: @escaping @Sendable (ProcessingStep) -> Void) async {
        guard request.permissions.service else { return }
        decoder.hasBegun(request.id, wasQueued: state.withLock { $0.wasQueued })
        progress(.started)
        if request.payload["waitsForHost"] != nil { for _ in 0..<2 { progress(.waitsForHost) } }
        if let gate = decoder.gate, request.payload["ungated"] == nil {
            gate.whenOpen { [decided] in decided.signal() }
        } else {
            decided.signal()
        }
        await decided.waitUninterrupted()
    }

    func notification() async -> ProcessedNotification {
        await decided.waitUninterrupted()
        decoder.hasDecided()
        let (refusal, isCancelled) = state.withLock { ($0.refusal, $0.isCancelled) }
        await decoder.emission?.wait()
        var payload = PushPayload()
        payload.providerID = providerID
        return ProcessedNotification(
            id: request.id, appGroup: request.appGroup, profile: request.profile, payload: payload,
            outcome: isCancelled
                ? .cancelled : !request.permissions.service ? .rejected : refusal == nil ? .rich : .fallback,
            reason: isCancelled ? .cancelled : refusal?.reason, text: NotificationText(),
            timing: .init(receivedAt: request.receivedAt, budget: request.budget.length, elapsed: .zero),
            userInfo: request.payload)
    }

    func cancel() {
        guard !decided.isSignalled else { return }
        state.withLock { $0.isCancelled = true }
        decided.signal()
    }

    var isRecorded: Bool { request.payload["recorded"] != nil }

    func record() async throws(MediaFailure) {
        if isRecorded { decoder.hasRecorded(request.id) }
    }
}

/// A coordinator between fakes, which runs during the body of a test.
struct CoordinatorBench: Sendable {
    let clock = ManualClock()
    let journal: FakeJournal
    let decoder: FakeDecoder
    let coordinator: RequestCoordinator

    init(
        journal: FakeJournal = FakeJournal(), gate: Gate? = nil, emission: Gate? = nil, capacity: Int = 10,
        inFlight: Int = 10, records: Int = 10
    ) {
        self.journal = journal
        let lane = OwnThreadExecutor()
        decoder = FakeDecoder(gate: gate, emission: emission, lane: lane)
        var limits = RequestCoordinator.Limits(requests: capacity, inFlight: inFlight)
        limits.records = records
        coordinator = RequestCoordinator(
            decoder: decoder, journal: journal, clock: clock, limits: limits, large: LargePayloadExecutor(lane),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    func key(_ id: String) throws -> RequestKey {
        struct NoID: Error {}
        guard let id = RequestID(id) else { throw NoID() }
        return RequestKey(group: .default, id: id)
    }

    func submission(
        _ id: String, _ channel: RequestChannel = .detached, _ object: JSONObject = [:], body: [UInt8] = [1]
    ) -> Submission {
        Submission(body: body, object: object, channel: channel, arrival: clock.reading, id: RequestID(id))
    }

    /// Runs the coordinator during the body, and ends it by draining.
    func run(_ body: @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup { group in
            group.addTask { try await coordinator.run() }
            do {
                try await body()
            } catch {
                coordinator.close()
                throw error
            }
            coordinator.close()
            try await group.waitForAll()
        }
    }
}
