/// When a request is emitted, and with what: pure, without clocks or tasks.
///
/// A request has a number of media, each of which ends once; it has a deadline; and its caller may take it back. The
/// first of these to settle the matter decides, exactly once: all media have ended, the deadline is reached, or it is
/// cancelled. Later events change nothing. A medium that fails or does not end in time may have a substitute.
package struct EmissionStateMachine<Ending: Sendable>: ~Copyable {
    package enum Event: Sendable {
        /// The n-th medium is ready or has failed.
        /// `takesSubstitute`: it has failed, and its substitute is better.
        case ended(Int, Ending, takesSubstitute: Bool = false)
        /// The substitute of the n-th medium, if it does not end in time or its download fails.
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
        /// By medium; `nil` for one that had neither ended nor a substitute.
        package let endings: [Ending?]
    }

    package enum Action: Sendable {
        case wait
        case emit(Decision)
        /// Emitted already: nobody waits for this.
        case ignore
    }

    private enum State {
        case collecting([Ending?], missing: Int)
        case decided
    }

    private var state: State
    private var substitutes: [Int: Ending] = [:]

    package init(count: Int) { state = .collecting(Array(repeating: nil, count: count), missing: count) }

    /// The media that have not ended, as long as nothing is decided.
    package var pending: [Int] {
        guard case .collecting(let endings, _) = state else { return [] }
        return endings.indices.filter { endings[$0] == nil }
    }

    /// Whether there is a substitute for a media item. A substitute that comes after the item's end does not count.
    package func hasSubstitute(for index: Int) -> Bool { substitutes[index] != nil }

    package mutating func handle(_ event: Event) -> Action {
        guard case .collecting(var endings, var missing) = state else { return .ignore }
        // The state lets go of the endings, so that they are changed in place: a payload may name thousands of media.
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
