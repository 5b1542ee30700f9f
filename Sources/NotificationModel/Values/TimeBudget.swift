/// The time a request has: a deadline on the monotonic clock, handed down as a value.
package struct TimeBudget: Sendable, Equatable {
    /// The default of a service extension on a phone (Apple: "about 30 seconds").
    package static let standard: Duration = .seconds(30)
    /// Budgets past this are refused: nobody waits longer for a notification.
    package static let longest: Duration = .seconds(3_600)

    package let received: MonotonicInstant
    package let deadline: MonotonicInstant
    /// The most that is kept back.
    package var longestReserve: Duration = .milliseconds(250)

    /// A budget that is already spent (a deadline in the past) is zero long.
    package init(received: MonotonicInstant, length: Duration) {
        self.received = received
        deadline = received.advanced(by: max(length, .zero))
    }

    package var length: Duration { received.duration(to: deadline) }

    /// What is kept back for composing and emitting: a tenth, at most 250 ms unless told otherwise.
    package var reserve: Duration { min(longestReserve, length / 10) }

    /// When the stages end, ready or not.
    package var stagesEnd: MonotonicInstant { deadline.advanced(by: .zero - reserve) }

    /// When the stages end for a message that expires at an instant: the reserve is kept back of the time until then.
    package func stagesEnd(before expiry: MonotonicInstant) -> MonotonicInstant {
        var budget = TimeBudget(received: received, length: received.duration(to: expiry))
        budget.longestReserve = longestReserve
        return budget.stagesEnd
    }
}

extension Duration {
    /// Milliseconds, with the fraction.
    package var milliseconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) * 1_000 + Double(attoseconds) / 1e15
    }

    package var seconds: Double { milliseconds / 1_000 }
}

/// A duration as people write it: `500ms`, `5s`, `1.5s`, `2m`, `1h`, `14d`.
package enum DurationText {
    package static func parse(_ text: String) -> Duration? {
        let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let unit: Double
        switch text[number.endIndex...] {
        case "ms": unit = 0.001
        case "s": unit = 1
        case "m": unit = 60
        case "h": unit = 3_600
        case "d": unit = 86_400
        default: return nil
        }
        guard let value = Double(number), value >= 0, value * unit <= 315_360_000 else { return nil }
        return .seconds(value * unit)
    }
}
