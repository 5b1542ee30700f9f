import NotificationModel
import Primitives

/// The lock around the state machine of one request. Any task sends events, and one waiter gets the decision.
///
/// The lock is held only to decide. The waiter is resumed after the lock is released.
final class EmissionRace<Ending: Sendable>: Sendable {
    typealias Machine = EmissionStateMachine<Ending>

    private struct State: ~Copyable {
        var machine: Machine
        var isDecided = false
    }

    private let state: Guarded<State>
    private let waiter = Waiter<Machine.Decision>()

    init(count: Int) { state = Guarded(State(machine: Machine(count: count))) }

    /// Sends an event to the state machine, and resumes the waiter if the event decides the request.
    ///
    /// The function is not inlined, because the machine's values would become a part of the frame of each waiting task.
    @inline(never)
    func send(_ event: Machine.Event) {
        let decision: Machine.Decision? = state.withLock { state in
            guard case .emit(let decision) = state.machine.handle(event) else { return nil }
            state.isDecided = true
            return decision
        }
        if let decision { waiter.resume(returning: decision) }
    }

    var isDecided: Bool { state.withLock { $0.isDecided } }

    /// The indices of the media items that have not ended. After the decision the list is empty.
    var pending: [Int] { state.withLock { $0.machine.pending } }

    /// Returns whether there is a substitute for a media item. The result does not change after the item has ended.
    func hasSubstitute(for index: Int) -> Bool { state.withLock { $0.machine.hasSubstitute(for: index) } }

    /// Waits until the request is decided. Only one caller may wait.
    func decision() async -> Machine.Decision { await waiter.value() }
}
