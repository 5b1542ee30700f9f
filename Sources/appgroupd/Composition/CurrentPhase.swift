import HTTPAPI
import NotificationModel

/// Where the daemon is in its life; it never goes back.
final class CurrentPhase: Sendable {
    private let state = Guarded(DaemonPhase.starting)

    var value: DaemonPhase { state.withLock(\.self) }

    func becomeReady() { state.withLock { if $0 == .starting { $0 = .ready } } }
    func drain() { state.withLock { $0 = .draining } }
}
