/// When a request is emitted, and with what: pure, without clocks or tasks.
///
/// A request has a number of media, each of which ends once; it has a deadline; and its caller may take it back. The
/// first of these to settle the matter decides, exactly once: all media have ended, the deadline is reached, or it is
/// cancelled. What comes later changes nothing.
package struct EmissionStateMachine<Ending: Sendable>: ~Copyable {
    package enum Event: Sendable {
        /// The n-th medium is ready or has failed.
        case ended(Int, Ending)
        case deadlineReached
        case cancelled
    }

    package enum Cause: Sendable, Equatable {
        case allEnded
        case deadlineReached
        case cancelled
    }

    package struct Decision: Sendable {
        package let cause: Cause
        /// By medium; `nil` for one that had not ended.
        package let endings: [Ending?]
    }

    package enum Action: Sendable {
        case wait
        case emit(Decision)
        /// Emitted already: nobody waits for this.
        case ignore
    }

    private enum State {
        case collecting([Ending?])
        case decided
    }

    private var state: State

    package init(count: Int) { state = .collecting(Array(repeating: nil, count: count)) }

    package mutating func handle(_ event: Event) -> Action {
        guard case .collecting(var endings) = state else { return .ignore }
        let cause: Cause
        switch event {
        case .ended(let index, let ending):
            guard endings.indices.contains(index), endings[index] == nil else { return .ignore }
            endings[index] = ending
            guard endings.allSatisfy({ $0 != nil }) else {
                state = .collecting(endings)
                return .wait
            }
            cause = .allEnded
        case .deadlineReached: cause = .deadlineReached
        case .cancelled: cause = .cancelled
        }
        state = .decided
        return .emit(Decision(cause: cause, endings: endings))
    }
}
