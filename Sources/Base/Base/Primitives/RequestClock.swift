package import FoundationEssentials

/// The clock for the deadlines and dates of requests. Tests use another clock, which they advance.
package protocol RequestClock: Sendable {
    /// The time for deadlines, from a clock that is never set back.
    var now: MonotonicInstant { get }
    /// The date and time for messages and reports.
    var date: Date { get }
    /// Waits until the instant, or until the task is cancelled.
    func sleep(until instant: MonotonicInstant) async
    /// Calls an action at the instant, unless the alarm is cancelled earlier. The action must not block.
    func alarm(at instant: MonotonicInstant, _ action: @escaping @Sendable () -> Void) -> ClockAlarm
}

/// An action that a clock calls later.
package struct ClockAlarm: Sendable {
    private let cancellation: @Sendable () -> Void

    package init(cancellation: @escaping @Sendable () -> Void) { self.cancellation = cancellation }

    /// Cancels the action. A call after the action has begun has no effect.
    package func cancel() { cancellation() }
}

extension RequestClock {
    package func alarm(at instant: MonotonicInstant, _ action: @escaping @Sendable () -> Void) -> ClockAlarm {
        let sleeper = Task {
            await sleep(until: instant)
            if !Task.isCancelled { action() }
        }
        return ClockAlarm { sleeper.cancel() }
    }
}

/// The clock of the machine.
package struct SystemClock: RequestClock {
    private let currentDate: @Sendable () -> Date

    /// Creates a clock that shows the date of the machine, also after the machine's date is set.
    package init(date: @escaping @Sendable () -> Date = { Date() }) { currentDate = date }

    /// Creates a clock that shows a date now (`--now`), and advances from this date.
    package init(startingAt date: Date) {
        let origin = MonotonicInstant.now
        currentDate = { date.addingTimeInterval(origin.duration(to: .now).seconds) }
    }

    package var now: MonotonicInstant { .now }
    package var date: Date { currentDate() }

    package func sleep(until instant: MonotonicInstant) async {
        try? await ContinuousClock().sleep(for: MonotonicInstant.now.duration(to: instant), tolerance: .zero)
    }
}
