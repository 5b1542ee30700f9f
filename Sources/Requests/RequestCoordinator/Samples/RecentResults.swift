import Base
import NotificationModel

/// The figures of the results of the last one to two minutes, for `GET /v1/status`.
struct RecentResults: Sendable {
    static let period: Duration = .seconds(60)

    private struct Figures {
        var emitted = 0
        /// The number of results after their deadlines.
        var late = 0
        /// The times from the acceptance to the published result.
        var elapsed = DurationDistribution()
        /// The times from the published result to the deadline. Late results have none.
        var slack = DurationDistribution()
    }

    private var periods: RecentPeriods<Figures>

    init(at now: MonotonicInstant) { periods = RecentPeriods(of: Self.period, at: now) { Figures() } }

    mutating func add(elapsed: Duration, slack: Duration, at now: MonotonicInstant) {
        periods.change(at: now) { figures in
            figures.emitted += 1
            figures.elapsed.add(elapsed)
            if slack < .zero { figures.late += 1 } else { figures.slack.add(slack) }
        }
    }

    /// Returns the figures. The `p5` of the slack is the time that 95 % of the results had left, or more.
    mutating func json(at now: MonotonicInstant) -> JSONValue {
        periods.turn(at: now)
        var sum = periods.current
        if let previous = periods.previous {
            sum.emitted += previous.emitted
            sum.late += previous.late
            sum.elapsed += previous.elapsed
            sum.slack += previous.slack
        }
        return [
            "windowMs": .number(Int(periods.covered(at: now).milliseconds)),
            "emitted": .number(sum.emitted), "late": .number(sum.late),
            "elapsedMs": ["p50": sum.elapsed.json(0.5), "p95": sum.elapsed.json(0.95)],
            "slackMs": ["p5": Self.least(of: sum.slack, 0.05), "p50": Self.least(of: sum.slack, 0.5)],
        ]
    }

    /// Returns a quantile that is at most 19 % too low, because a report must not promise more slack than there was.
    private static func least(of slack: DurationDistribution, _ share: Double) -> JSONValue {
        slack.quantile(share).map { .number(($0 / 1.19).milliseconds.roundedToTenths) } ?? .null
    }
}
