package import Base
import NIOCore

/// The clock of an origin's waits: that of its event loop, or the clock of a scenario, whose time may be virtual.
package enum OriginTimers: Sendable {
    case eventLoop
    case clock(any RequestClock)

    /// Runs a task on an event loop after a delay. This function must be called on that event loop.
    func schedule(on loop: any EventLoop, in delay: Duration, _ task: @escaping () -> Void) -> OriginTimer {
        switch self {
        case .eventLoop:
            let scheduled = loop.assumeIsolated().scheduleTask(in: TimeAmount(delay)) { task() }
            return OriginTimer { scheduled.cancel() }
        case .clock(let clock):
            let task = NIOLoopBound(task, eventLoop: loop)
            let alarm = clock.alarm(at: clock.now + delay) { loop.execute { task.value() } }
            return OriginTimer { alarm.cancel() }
        }
    }
}

/// A task that runs later, unless it is cancelled. Its owner ignores a task that has begun on its way to the loop.
struct OriginTimer {
    let cancel: () -> Void
}
