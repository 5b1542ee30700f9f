import LinuxIO
import NotificationModel

/// A timer of a loop that is set again only for an earlier instant than it has: who wants a later one looks at that when it
/// rings.
struct CoalescingTimer {
    private let loop: EventLoop
    private var current: (id: EventLoop.TimerID, at: MonotonicInstant)?
    /// Calls `didFire` first of all.
    var handler: () -> Void = {}

    init(on loop: EventLoop) { self.loop = loop }

    mutating func set(at instant: MonotonicInstant) {
        if let current {
            if current.at <= instant { return }
            loop.cancel(current.id)
        }
        current = (loop.schedule(at: instant, handler), instant)
    }

    /// The handler has been called.
    mutating func didFire() { current = nil }
}
