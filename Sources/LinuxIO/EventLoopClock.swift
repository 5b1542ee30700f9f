import CLinuxShims
package import FoundationEssentials
package import Primitives

/// The clocks of the machine, with a thread of its own that resumes sleeping tasks (`agd-time`).
///
/// A cancelled sleep releases all its memory. `Task.sleep` keeps the alarm of a cancelled sleep until the time of the
/// alarm. In a server, most requests end long before their budget. The alarms of half a minute would stay in memory
/// (measured: 3 kB a request).
package final class EventLoopClock: RequestClock {
    private let system = SystemClock()
    private let loop: EventLoop

    package init() throws(SystemError) { loop = try EventLoop.start(name: "agd-time") }

    /// Creates a clock on a loop that the caller owns and ends.
    package init(on loop: EventLoop) { self.loop = loop }

    /// Ends the thread. The owner calls this function once, when no task sleeps.
    package func shutdown() { loop.shutdown() }

    package var now: MonotonicInstant { system.now }
    package var date: Date { system.date }

    package func alarm(at instant: MonotonicInstant, _ action: @escaping @Sendable () -> Void) -> ClockAlarm {
        let timer = Guarded<EventLoop.TimerID?>(nil)
        loop.execute(before: instant) { [loop] in
            let id = loop.schedule(at: instant, action)
            timer.withLock { $0 = id }
        }
        return ClockAlarm { [loop] in
            loop.execute(before: instant) { if let id = timer.withLock(\.self) { loop.cancel(id) } }
        }
    }

    package func sleep(until instant: MonotonicInstant) async {
        let waiter = Waiter<Bool>()
        let alarm = alarm(at: instant) { waiter.resume(returning: true) }
        if await !waiter.value(onCancel: { $0.resume(returning: false) }) { alarm.cancel() }
    }
}

/// The machine's monotonic clock (clock_gettime(2), `CLOCK_MONOTONIC`), which is never set. All processes share it.
package enum MonotonicClock {
    package static var microseconds: UInt64 { agd_monotonic_microseconds() }
}
