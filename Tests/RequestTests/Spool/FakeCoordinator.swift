import Base
import NotificationModel

/// A coordinator with the answers that a test has set, which records its calls.
final class FakeCoordinator: RequestIntake {
    typealias Answer = @Sendable (Submission) async -> Admission

    private struct State {
        var submissions: [Submission] = []
        var states: [RequestKey: RequestState] = [:]
        var answer: Answer
        var atOnce = 0
        var maxAtOnce = 0
        var watchers: [(count: Int, wake: CheckedContinuation<Void, Never>)] = []
    }

    private let state: Guarded<State>

    init(_ answer: @escaping Answer = { .accepted(FakeCoordinator.key($0)) }) { state = Guarded(State(answer: answer)) }

    /// Returns the key of a submission from the spool.
    static func key(_ submission: Submission) -> RequestKey {
        RequestKey(
            group: submission.group ?? .default, id: submission.weakID ?? .new(millisecondsSince1970: 0))
    }

    var submissions: [Submission] { state.withLock { $0.submissions } }
    /// The maximum number of submissions that waited for an answer at the same time.
    var maxAtOnce: Int { state.withLock { $0.maxAtOnce } }

    /// The names of the submitted files, in their order.
    var fileNames: [String] {
        submissions.compactMap { submission in
            if case .spool(let name) = submission.channel { name } else { nil }
        }
    }

    func answer(_ answer: @escaping Answer) { state.withLock { $0.answer = answer } }
    func know(_ key: RequestKey, as known: RequestState) { state.withLock { $0.states[key] = known } }

    /// Returns when at least a number of submissions were received.
    func waitForSubmissions(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.submissions.count >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    // MARK: Conformance to RequestIntake

    func submit(_ submission: Submission) async -> Admission {
        let (answer, woken) = state.withLock { state in
            state.submissions.append(submission)
            state.atOnce += 1
            state.maxAtOnce = max(state.maxAtOnce, state.atOnce)
            let count = state.submissions.count
            let woken = state.watchers.filter { $0.count <= count }.map(\.wake)
            state.watchers.removeAll { $0.count <= count }
            return (state.answer, woken)
        }
        for watcher in woken { watcher.resume() }
        let admission = await answer(submission)
        state.withLock { $0.atOnce -= 1 }
        return admission
    }

    func state(of key: RequestKey) async -> RequestState? { state.withLock { $0.states[key] } }
    func keepUndelivered(_ key: RequestKey) {}
    func content(of key: RequestKey) async -> EmittedContent? { nil }
    func cancel(_ key: RequestKey) async -> CancelAnswer { .unknown }
    func cancel(providerID: String, in group: AppGroupName?) async -> [RequestKey] { [] }
    func subscribe(after id: String?) -> EventSubscription {
        EventSubscription(events: AsyncStream { $0.finish() }, isWhole: id == nil)
    }
    var load: RequestLoad { RequestLoad(running: 0, queued: 0, accepted: 0, emitted: [:]) }
}
