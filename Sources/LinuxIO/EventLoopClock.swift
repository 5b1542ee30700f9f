import CLinuxShims
package import FoundationEssentials
package import NotificationModel

/// The clocks of the machine, with a thread of its own that resumes sleeping tasks (`agd-time`).
///
/// A cancelled sleep releases all its memory. `Task.sleep` keeps its alarm until the time has come. In a server whose
/// requests mostly end long before their budget, the alarms of half a minute would stay in memory (measured: 3 kB a
/// request).
package final class EventLoopClock: RequestClock {
    private let system = SystemClock()
    private let loop: EventLoop

    package init() throws(SystemError) { loop = try EventLoop.start(name: "agd-time") }

    /// Creates a clock on a loop that the caller owns and ends.
    package init(on loop: EventLoop) { self.loop = loop }

    /// Ends the thread. It must be called once, when no task sleeps.
    package func shutdown() { loop.shutdown() }

    package var now: MonotonicInstant { system.now }
    package var date: Date { system.date }

    package func alarm(at instant: MonotonicInstant, _ action: @escaping @Sendable () -> Void) -> ClockAlarm {
        let timer = Guarded<EventLoop.TimerID?>(nil)
        loop.execute { [loop] in
            let id = loop.schedule(at: instant, action)
            timer.withLock { $0 = id }
        }
        return ClockAlarm { [loop] in
            loop.execute { if let id = timer.withLock(\.self) { loop.cancel(id) } }
        }
    }

    package func sleep(until instant: MonotonicInstant) async {
        let sleeper = Sleeper()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                loop.execute { [loop] in
                    guard sleeper.begin(continuation) else { return continuation.resume() }
                    sleeper.setAlarm(loop.schedule(at: instant) { sleeper.end()?.continuation?.resume() })
                }
            }
        } onCancel: {
            loop.execute { [loop] in
                guard let ended = sleeper.end() else { return }
                if let alarm = ended.alarm { loop.cancel(alarm) }
                ended.continuation?.resume()
            }
        }
    }
}

/// A sleeping task. It is resumed once, by the alarm or by a cancellation, which may come before the sleep begins.
private final class Sleeper: Sendable {
    struct State: Sendable {
        var continuation: CheckedContinuation<Void, Never>?
        var alarm: EventLoop.TimerID?
    }

    private let state = Guarded<State?>(State())

    /// Stores the continuation of the task.
    ///
    /// - Returns: `false` if the sleep has already ended.
    func begin(_ continuation: CheckedContinuation<Void, Never>) -> Bool {
        state.withLock { state in
            state?.continuation = continuation
            return state != nil
        }
    }

    func setAlarm(_ alarm: EventLoop.TimerID) { state.withLock { $0?.alarm = alarm } }

    /// Ends the sleep of the task.
    ///
    /// - Returns: `nil` if the sleep has already ended.
    func end() -> State? { state.withLock { $0.take() } }
}

/// The machine's monotonic clock (clock_gettime(2), `CLOCK_MONOTONIC`). It is never set, and is the same for all
/// processes.
package enum MonotonicClock {
    package static var microseconds: UInt64 { agd_monotonic_microseconds() }
}
