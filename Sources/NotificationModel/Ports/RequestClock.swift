package import FoundationEssentials

/// The time that requests live by. A test turns its own.
package protocol RequestClock: Sendable {
    /// For deadlines: never set back.
    var now: MonotonicInstant { get }
    /// For what messages say about dates.
    var date: Date { get }
    /// Returns at the instant, or earlier when the task is cancelled.
    func sleep(until instant: MonotonicInstant) async
    /// Calls an action at the instant, unless the alarm is cancelled before that. The action must not block.
    func alarm(at instant: MonotonicInstant, _ action: @escaping @Sendable () -> Void) -> ClockAlarm
}

/// An action that a clock is to call.
package struct ClockAlarm: Sendable {
    private let cancellation: @Sendable () -> Void

    package init(cancellation: @escaping @Sendable () -> Void) { self.cancellation = cancellation }

    /// Has no effect after the action has begun.
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

    /// Now, on both clocks.
    package var arrival: Arrival { Arrival(instant: now, date: date) }
}

/// The machine's clocks.
package struct SystemClock: RequestClock {
    private let origin = MonotonicInstant.now
    private let originDate: Date

    /// - Parameter startingAt: what the date is taken to be now (`--now`); it runs on from there.
    package init(startingAt date: Date = Date()) { originDate = date }

    package var now: MonotonicInstant { .now }
    package var date: Date { originDate.addingTimeInterval(origin.duration(to: .now).seconds) }

    package func sleep(until instant: MonotonicInstant) async {
        try? await ContinuousClock().sleep(for: MonotonicInstant.now.duration(to: instant), tolerance: .zero)
    }
}
