import NotificationModel

/// The shell around the state machine of one request: events from any task, the decision for the one that waits.
///
/// Lock, decide, unlock, then resume: nothing is done under the lock.
final class EmissionRace<Ending: Sendable>: Sendable {
    typealias Machine = EmissionStateMachine<Ending>

    private struct State: ~Copyable {
        var machine: Machine
        var decision: Machine.Decision?
        var waiter: CheckedContinuation<Machine.Decision, Never>?
    }

    private let state: Guarded<State>

    init(count: Int) { state = Guarded(State(machine: Machine(count: count))) }

    /// Not inlined: the machine's values would be a part of the frame of each task that waits.
    @inline(never)
    func send(_ event: Machine.Event) {
        let resumption: (CheckedContinuation<Machine.Decision, Never>, Machine.Decision)? = state.withLock { state in
            guard case .emit(let decision) = state.machine.handle(event) else { return nil }
            state.decision = decision
            return state.waiter.take().map { ($0, decision) }
        }
        if let (waiter, decision) = resumption { waiter.resume(returning: decision) }
    }

    var isDecided: Bool { state.withLock { $0.decision != nil } }

    /// The media that have not ended, as long as nothing is decided.
    var pending: [Int] { state.withLock { $0.machine.pending } }

    /// Whether there is a substitute for a media item. After the item has ended, the answer does not change.
    func hasSubstitute(for index: Int) -> Bool { state.withLock { $0.machine.hasSubstitute(for: index) } }

    /// Waits until the request is decided. For one caller.
    func decision() async -> Machine.Decision {
        await withCheckedContinuation { continuation in
            let decided = state.withLock { state in
                if state.decision == nil { state.waiter = continuation }
                return state.decision
            }
            if let decided { continuation.resume(returning: decided) }
        }
    }
}
