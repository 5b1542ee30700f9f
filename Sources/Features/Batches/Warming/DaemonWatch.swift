import Base
import FeatureKit
import HTTPAPI
import NotificationModel

/// A watch that measures for how long the daemon of `warm --via` has not answered.
final class DaemonWatch: Sendable {
    private struct State {
        /// The beginning of the time without an answer; `nil` if the daemon has answered since the last failed call.
        var goneSince: MonotonicInstant?
        var lastAnswer: MonotonicInstant?
    }

    /// The time without an answer after which the run ends.
    let patience: Duration
    /// The event that is signalled when the daemon has not answered for `patience`.
    let loss = AsyncEvent()
    let clock: any RequestClock
    private let state = Guarded(State())

    init(patience: Duration, clock: any RequestClock) {
        self.patience = patience
        self.clock = clock
    }

    /// The reason for the end of a run, as a sentence.
    var silence: String { "the daemon has not answered for \(HumanText.duration(patience))" }

    /// Records an answer. A refusal is also an answer.
    func noteAnswer() {
        let now = clock.now
        state.withLock { $0 = State(lastAnswer: now) }
    }

    /// Records a call without an answer, which began at an instant.
    func noteAbsence(since start: MonotonicInstant) {
        let now = clock.now
        let isLost = state.withLock { state in
            let first = state.goneSince ?? max(start, state.lastAnswer ?? start)
            state.goneSince = first
            return first.duration(to: now) >= patience
        }
        if isLost { loss.signal() }
    }
}

extension DaemonClientError {
    /// Whether the daemon cannot be reached, so that a later call may succeed.
    var isAbsence: Bool {
        switch self {
        case .noSocket, .noListener, .unreachable, .broken: true
        case .notPermitted, .answerTooLarge, .refused: false
        }
    }
}
