import HTTPAPI
import NotificationModel

/// Notes for how long the daemon of `warm --via` has not answered.
final class DaemonWatch: Sendable {
    private struct State {
        /// The instant from which there was no answer; `nil`: the daemon has answered since.
        var goneSince: MonotonicInstant?
        var lastAnswer: MonotonicInstant?
    }

    /// The time without an answer after which the run ends.
    let patience: Duration
    /// The daemon has not answered for `patience`.
    let loss = AsyncEvent()
    let clock: any RequestClock
    private let state = Guarded(State())

    init(patience: Duration, clock: any RequestClock) {
        self.patience = patience
        self.clock = clock
    }

    /// The reason for the end of a run, in a sentence.
    var silence: String { "the daemon has not answered for \(HumanText.duration(patience))" }

    /// Any answer counts, a refusal too.
    func noteAnswer() {
        let now = clock.now
        state.withLock { $0 = State(lastAnswer: now) }
    }

    /// - Parameter start: when the call began that has got no answer.
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
    /// Whether the daemon is gone, so that it may be back later.
    var isAbsence: Bool {
        switch self {
        case .noSocket, .nobodyListens, .unreachable, .broken: true
        case .notPermitted, .answerTooLarge, .refused: false
        }
    }
}
