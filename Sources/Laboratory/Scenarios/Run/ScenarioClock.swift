import Base
import FoundationEssentials
import LinuxIO

/// The clock of a scenario: the timers of an event loop, and the date that the scenario names.
final class ScenarioClock: RequestClock {
    private let timers: EventLoopClock
    private let calendar: SystemClock

    /// - Parameter date: The date of the clock now; `nil` for the date of the machine.
    init(date: Date?) throws(SystemError) {
        timers = try EventLoopClock()
        calendar = date.map { SystemClock(startingAt: $0) } ?? SystemClock(startingAt: Date())
    }

    /// Ends the thread of the timers.
    func shutdown() { timers.shutdown() }

    var now: MonotonicInstant { timers.now }
    var date: Date { calendar.date }
    func sleep(until instant: MonotonicInstant) async { await timers.sleep(until: instant) }
    func alarm(at instant: MonotonicInstant, _ action: @escaping @Sendable () -> Void) -> ClockAlarm {
        timers.alarm(at: instant, action)
    }
}
