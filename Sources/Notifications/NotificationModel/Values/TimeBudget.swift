package import Base

/// The time that a request has: a deadline on the monotonic clock, which is passed down as a value.
package struct TimeBudget: Sendable, Equatable {
    /// The time of a service extension on a phone (Apple: "about 30 seconds"), which is the default budget.
    package static let standard: Duration = .seconds(30)
    /// The longest reserve that the stages leave at the end of a budget, by default.
    package static let standardReserve: Duration = .milliseconds(250)
    /// The maximum budget. A longer budget is refused, because a notification is useless after more than an hour.
    package static let maximum: Duration = .seconds(3_600)

    package let received: MonotonicInstant
    package let deadline: MonotonicInstant
    /// The limit of `reserve`, 250 ms by default.
    package var maxReserve: Duration = .milliseconds(250)

    /// Creates a budget. If its length is negative (a deadline in the past), the budget has length zero.
    package init(received: MonotonicInstant, length: Duration) {
        self.received = received
        deadline = received.advanced(by: max(length, .zero))
    }

    package var length: Duration { received.duration(to: deadline) }

    /// The time that is reserved for composing and emitting: a tenth of the length, at most `maxReserve`.
    package var reserve: Duration { min(maxReserve, length / 10) }

    /// The instant at which the stages end, even if they are not complete.
    package var stagesEnd: MonotonicInstant { deadline.advanced(by: .zero - reserve) }

    /// Returns the instant at which the stages end for a message that expires. The reserve ends at the expiry.
    package func stagesEnd(before expiry: MonotonicInstant) -> MonotonicInstant {
        var budget = TimeBudget(received: received, length: received.duration(to: expiry))
        budget.maxReserve = maxReserve
        return budget.stagesEnd
    }
}
