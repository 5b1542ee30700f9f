import Base
import LinuxIO

/// A timer of an event loop that is moved only to earlier instants. An owner that needs a later instant checks the time
/// when the timer fires, and sets it again.
struct CoalescingTimer {
    private let loop: EventLoop
    private var current: (id: EventLoop.TimerID, at: MonotonicInstant)?
    /// The callback of the timer. The callback must first call `didFire`.
    var handler: () -> Void = {}

    init(on loop: EventLoop) { self.loop = loop }

    mutating func set(at instant: MonotonicInstant) {
        if let current {
            if current.at <= instant { return }
            loop.cancel(current.id)
        }
        current = (loop.schedule(at: instant, handler), instant)
    }

    /// Records that the timer has fired, so that it can be set again.
    mutating func didFire() { current = nil }
}
