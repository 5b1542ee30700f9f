import Base
import NotificationModel

/// The lock around the state machine of one request. Any task sends events, and any task may wait for the decision.
///
/// The lock is held only to decide. The waiters are resumed after the lock is released.
final class EmissionRace<Ending: Sendable>: Sendable {
    typealias Machine = EmissionStateMachine<Ending>

    private struct State: ~Copyable {
        var machine: Machine
        var decision: Machine.Decision?
    }

    private let state: Guarded<State>
    private let decided = AsyncEvent()

    init(count: Int) { state = Guarded(State(machine: Machine(count: count))) }

    /// Sends an event to the state machine, and resumes the waiters if the event decides the request.
    ///
    /// The function is not inlined, because the machine's values would become a part of the frame of each waiting task.
    @inline(never)
    func send(_ event: Machine.Event) {
        let decides = state.withLock { state in
            guard case .emit(let decision) = state.machine.handle(event) else { return false }
            state.decision = decision
            return true
        }
        if decides { decided.signal() }
    }

    var isDecided: Bool { decided.isSignalled }

    /// The indices of the media items that have not ended. After the decision the list is empty.
    var pending: [Int] { state.withLock { $0.machine.pending } }

    /// Returns whether there is a substitute for a media item. The result does not change after the item has ended.
    func hasSubstitute(for index: Int) -> Bool { state.withLock { $0.machine.hasSubstitute(for: index) } }

    /// Waits until the request is decided, even if the task is cancelled.
    func decision() async -> Machine.Decision {
        while true {
            if let decision = state.withLock({ $0.decision }) { return decision }
            await decided.waitUninterrupted()
        }
    }
}
