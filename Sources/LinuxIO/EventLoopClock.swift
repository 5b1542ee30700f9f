import CLinuxShims
package import FoundationEssentials
package import NotificationModel

/// The machine's clocks, with a thread of its own that wakes who sleeps (`agd-time`).
///
/// A sleep that is cancelled leaves nothing behind. `Task.sleep` keeps its alarm until the time has come: a server whose
/// requests mostly end long before their budget would carry the alarms of half a minute with it (measured: 3 kB a
/// request).
package final class EventLoopClock: RequestClock {
    private let system = SystemClock()
    private let loop: EventLoop

    package init() throws(SystemError) { loop = try EventLoop.start(name: "agd-time") }

    /// Sleepers of a loop that somebody else owns and ends.
    package init(on loop: EventLoop) { self.loop = loop }

    /// Ends the thread. Called once, when nobody sleeps.
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

/// One who sleeps. Ended once: by the alarm, or by a cancel, which may even come before the beginning.
private final class Sleeper: Sendable {
    struct State: Sendable {
        var continuation: CheckedContinuation<Void, Never>?
        var alarm: EventLoop.TimerID?
    }

    private let state = Guarded<State?>(State())

    /// - Returns: `false` when it has ended already.
    func begin(_ continuation: CheckedContinuation<Void, Never>) -> Bool {
        state.withLock { state in
            state?.continuation = continuation
            return state != nil
        }
    }

    func setAlarm(_ alarm: EventLoop.TimerID) { state.withLock { $0?.alarm = alarm } }

    /// - Returns: `nil` when it has ended already.
    func end() -> State? { state.withLock { $0.take() } }
}

/// The machine's clock that is never set (clock_gettime(2), `CLOCK_MONOTONIC`): the same for all its processes.
package enum MonotonicClock {
    package static var microseconds: UInt64 { agd_monotonic_microseconds() }
}
