/// The state machine that decides when a request is emitted, and with which media. It has no clocks and no tasks.
///
/// A request has a number of media items, each of which ends once. A request also has a deadline, and its caller may
/// cancel it. The first of three events decides the request: all media items have ended, the deadline is reached, or
/// the request is cancelled. Later events change nothing. A media item that fails or does not end in time may have a
/// substitute.
package struct EmissionStateMachine<Ending: Sendable>: ~Copyable {
    package enum Event: Sendable {
        /// The n-th media item is ready or has failed. If `takesSubstitute` is set, the item has failed, and its
        /// substitute is used instead.
        case ended(Int, Ending, takesSubstitute: Bool = false)
        /// A substitute for the n-th media item, which is used if the item does not end in time or its download fails.
        case substituted(Int, Ending)
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
        /// One element for each media item; `nil` if the item has not ended and has no substitute.
        package let endings: [Ending?]
    }

    package enum Action: Sendable {
        case wait
        case emit(Decision)
        /// The event has no effect, because the request is decided or the media item has ended.
        case ignore
    }

    private enum State {
        case collecting([Ending?], missing: Int)
        case decided
    }

    private var state: State
    private var substitutes: [Int: Ending] = [:]

    package init(count: Int) { state = .collecting(Array(repeating: nil, count: count), missing: count) }

    /// The indices of the media items that have not ended. After the decision the list is empty.
    package var pending: [Int] {
        guard case .collecting(let endings, _) = state else { return [] }
        return endings.indices.filter { endings[$0] == nil }
    }

    /// Returns whether there is a substitute for a media item. After the item's end, a substitute is ignored.
    package func hasSubstitute(for index: Int) -> Bool { substitutes[index] != nil }

    package mutating func handle(_ event: Event) -> Action {
        guard case .collecting(var endings, var missing) = state else { return .ignore }
        // The state releases the results, so that the array of thousands of media items is changed in place.
        state = .decided
        let cause: Cause
        switch event {
        case .substituted(let index, let ending):
            state = .collecting(endings, missing: missing)
            guard endings.indices.contains(index), endings[index] == nil else { return .ignore }
            substitutes[index] = ending
            return .wait
        case .ended(let index, let ending, let takesSubstitute):
            guard endings.indices.contains(index), endings[index] == nil else {
                state = .collecting(endings, missing: missing)
                return .ignore
            }
            endings[index] = takesSubstitute ? substitutes[index] ?? ending : ending
            missing -= 1
            guard missing == 0 else {
                state = .collecting(endings, missing: missing)
                return .wait
            }
            cause = .allEnded
        case .deadlineReached:
            for (index, ending) in substitutes where endings[index] == nil { endings[index] = ending }
            cause = .deadlineReached
        case .cancelled: cause = .cancelled
        }
        return .emit(Decision(cause: cause, endings: endings))
    }
}
