import HTTPAPI
import NotificationModel

/// Notes for how long the daemon of `warm --via` has been gone.
final class DaemonWatch: Sendable {
    /// The time after which a run does not wait any longer.
    static let patience: Duration = .seconds(60)

    /// The daemon has been gone for `patience`.
    let loss = AsyncEvent()
    private let clock: any RequestClock
    private let goneSince = Guarded<MonotonicInstant?>(nil)

    init(clock: any RequestClock) { self.clock = clock }

    /// Any answer counts, a refusal too.
    func noteAnswer() { goneSince.withLock { $0 = nil } }

    func noteAbsence() {
        let now = clock.now
        let isLost = goneSince.withLock { since in
            let first = since ?? now
            since = first
            return first.duration(to: now) >= Self.patience
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
