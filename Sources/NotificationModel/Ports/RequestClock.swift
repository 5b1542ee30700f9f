package import FoundationEssentials

/// The time that requests live by. A test turns its own.
package protocol RequestClock: Sendable {
    /// For deadlines: never set back.
    var now: MonotonicInstant { get }
    /// For what messages say about dates.
    var date: Date { get }
    /// Returns at the instant, or earlier when the task is cancelled.
    func sleep(until instant: MonotonicInstant) async
}

extension RequestClock {
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
