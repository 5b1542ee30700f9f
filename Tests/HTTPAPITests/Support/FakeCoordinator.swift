import Base
import FoundationEssentials
import NotificationModel

/// A coordinator with the answers that a test has set, which records its calls.
final class FakeCoordinator: RequestIntake {
    private struct State {
        var submissions: [Submission] = []
        var undelivered: [RequestKey] = []
        var cancelledGroups: [AppGroupName?] = []
        var states: [RequestKey: RequestState] = [:]
        var waiting: [Int: (key: RequestKey, wake: CheckedContinuation<EmittedContent?, Never>)] = [:]
        var lastWait = 0
        var waitsLeft = 0
        var listeners: [AsyncStream<RequestEvent>.Continuation] = []
        var listenersLeft = 0
        var demands = 0
        var resumedAfter: [String?] = []
        var watchers: [Int: (holds: @Sendable (FakeCoordinator) -> Bool, wake: CheckedContinuation<Void, Never>)] = [:]
        var lastWatcher = 0
    }

    private let state = Guarded(State())
    private let admission: @Sendable (Submission) -> Admission
    private let cancelAnswer: CancelAnswer
    private let providerKeys: [RequestKey]
    /// An event that is not in memory any more; `nil` if all are.
    private let forgottenEvent: String?

    /// - Parameter admission: The answer to a submission. By default, the submission is accepted under its id, or as
    ///   `new` if the submission has no id.
    init(
        cancelAnswer: CancelAnswer = .cancelled, providerKeys: [RequestKey] = [], forgottenEvent: String? = nil,
        admission: @escaping @Sendable (Submission) -> Admission = { .accepted(FakeCoordinator.key(of: $0)) }
    ) {
        self.admission = admission
        self.cancelAnswer = cancelAnswer
        self.providerKeys = providerKeys
        self.forgottenEvent = forgottenEvent
    }

    static func key(of submission: Submission) -> RequestKey {
        key(submission.id?.description ?? "new", in: submission.group?.description ?? "group.default")
    }

    static func key(_ id: String, in group: String = "group.default") -> RequestKey {
        RequestKey(
            group: AppGroupName(group) ?? .default, id: RequestID(id) ?? .new(millisecondsSince1970: 0))
    }

    static func content(of key: RequestKey) -> EmittedContent {
        let text =
            #"{"id":"\#(key.id)","outcome":"rich","timing":{"emittedAt":"2026-01-31T12:00:00.000Z","elapsedMs":12.5}}"#
        return EmittedContent(key: key, outcome: .rich, reason: nil, json: Array(text.utf8))
    }

    // MARK: Conformance to RequestIntake

    func submit(_ submission: Submission) async -> Admission {
        let answer = admission(submission)
        var submission = submission
        // A joined submission is not processed, so its lease is released.
        if case .joined = answer { submission.lease = nil }
        state.withLock { [submission] state in
            state.submissions.append(submission)
            if case .accepted(let key) = answer, state.states[key] == nil { state.states[key] = .queued }
        }
        tell()
        return answer
    }

    func keepUndelivered(_ key: RequestKey) { state.withLock { $0.undelivered.append(key) } }

    func content(of key: RequestKey) async -> EmittedContent? {
        let id = state.withLock { state in
            state.lastWait += 1
            return state.lastWait
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ready: EmittedContent?? = state.withLock { state in
                    if case .emitted(let content) = state.states[key] { return .some(content) }
                    if state.states[key] == nil || Task.isCancelled { return .some(nil) }
                    state.waiting[id] = (key, continuation)
                    return nil
                }
                if let ready { continuation.resume(returning: ready) }
                tell()
            }
        } onCancel: {
            let waiting = state.withLock { state in
                state.waitsLeft += 1
                return state.waiting.removeValue(forKey: id)
            }
            waiting?.wake.resume(returning: nil)
            tell()
        }
    }

    func state(of key: RequestKey) async -> RequestState? { state.withLock { $0.states[key] } }

    func cancel(_ key: RequestKey) async -> CancelAnswer { cancelAnswer }

    func cancel(providerID: String, in group: AppGroupName?) async -> [RequestKey] {
        state.withLock { $0.cancelledGroups.append(group) }
        return providerKeys.filter { $0.id.description == providerID && (group == nil || $0.group == group) }
    }

    func subscribe(after id: String?) -> EventSubscription {
        let (stream, continuation) = AsyncStream.makeStream(of: RequestEvent.self)
        state.withLock { state in
            state.listeners.append(continuation)
            state.resumedAfter.append(id)
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { $0.listenersLeft += 1 }
            self?.tell()
        }
        tell()
        let events = AsyncStream(unfolding: { [weak self] in
            self?.state.withLock { $0.demands += 1 }
            self?.tell()
            var iterator = stream.makeAsyncIterator()
            return await iterator.next()
        })
        return EventSubscription(events: events, isWhole: id == nil || id != forgottenEvent)
    }

    var load: RequestLoad { RequestLoad(running: 1, queued: 2, accepted: 10, emitted: [.rich: 6, .fallback: 1]) }

    // MARK: Control by the test

    var submissions: [Submission] { state.withLock { $0.submissions } }
    /// The groups in which requests were cancelled by the provider's id.
    var cancelledGroups: [AppGroupName?] { state.withLock { $0.cancelledGroups } }
    var waits: Int { state.withLock { $0.waiting.count } }
    var waitsLeft: Int { state.withLock { $0.waitsLeft } }
    var listeners: Int { state.withLock { $0.listeners.count } }
    var listenersLeft: Int { state.withLock { $0.listenersLeft } }
    /// The number of times that listeners have asked for an event. A listener that asks has handled the previous event.
    var demands: Int { state.withLock { $0.demands } }
    var resumedAfter: [String?] { state.withLock { $0.resumedAfter } }

    /// Releases the leases and permits of all submissions, as if their results were published.
    func forgetSubmissions() { state.withLock { $0.submissions = [] } }

    func set(_ newState: RequestState, of key: RequestKey) { state.withLock { $0.states[key] = newState } }

    func emit(_ key: RequestKey, eventID: String = "1") {
        let content = Self.content(of: key)
        let waiting = state.withLock { state in
            state.states[key] = .emitted(content)
            let waiting = state.waiting.filter { $0.value.key == key }
            for id in waiting.keys { state.waiting[id] = nil }
            return waiting.values.map(\.wake)
        }
        for continuation in waiting { continuation.resume(returning: content) }
        send(.emitted(.rich, nil), key, eventID: eventID)
    }

    func send(_ kind: RequestEvent.Kind, _ key: RequestKey, eventID: String) {
        let event = RequestEvent(
            id: eventID, kind: kind, key: key, date: Date(timeIntervalSince1970: 1_800_000_000),
            elapsed: .milliseconds(5))
        for listener in state.withLock({ $0.listeners }) { listener.yield(event) }
    }

    /// Returns when a condition holds. The condition is not polled: each call of the coordinator checks it.
    func wait(until holds: @escaping @Sendable (FakeCoordinator) -> Bool) async {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                state.lastWatcher += 1
                state.watchers[state.lastWatcher] = (holds, continuation)
            }
            tell()
        }
    }

    private func tell() {
        // The watchers stay in the table during the check, so that a concurrent change checks them again.
        for (id, watcher) in state.withLock({ $0.watchers }) where watcher.holds(self) {
            state.withLock { $0.watchers.removeValue(forKey: id) }?.wake.resume()
        }
    }
}
