package import Base

/// The times of a result for its caller, which chooses the budgets of later requests by them.
package struct ResultTiming: Sendable, Equatable {
    /// A part of the time, by the name of its stage.
    package struct Part: Sendable, Equatable {
        package let name: String
        package var milliseconds: Double
    }

    /// The stages of the media item that took longest, each stage once, in the order in which they began. The last part
    /// is `compose`, the time from the decision to the JSON of the result, if it is known.
    package let parts: [Part]
    /// The time that was left until the deadline, in seconds, to the millisecond. It is negative if the result was late.
    package let slack: Double

    /// - Parameter composition: The time from the decision to the JSON of the result.
    package init(_ notification: ProcessedNotification, composition: Duration) {
        let items = notification.verdicts.map { verdict in
            verdict.stages.map { Part(name: $0.name.rawValue, milliseconds: $0.duration.milliseconds) }
        }
        let timing = notification.timing
        parts = Self.slowest(items) + [Part(name: "compose", milliseconds: composition.milliseconds)]
        slack = (timing.budget.milliseconds.rounded() - timing.elapsed.milliseconds.rounded()) / 1_000
    }

    /// Reads the times of a result that was made earlier; `nil` if it has none.
    package init?(_ result: JSONValue) {
        guard let budget = result["timing"]["budgetMs"]?.double,
            let elapsed = result["timing"]["elapsedMs"]?.double
        else { return nil }
        let items = (result["verdicts"]?.array ?? []).map { verdict in
            (verdict["stages"]?.array ?? []).compactMap { stage -> Part? in
                guard let name = stage["name"]?.string, let time = stage["ms"]?.double else { return nil }
                return Part(name: name, milliseconds: time)
            }
        }
        parts = Self.slowest(items)
        slack = (budget - elapsed) / 1_000
    }

    private static func slowest(_ items: [[Part]]) -> [Part] {
        let longest = items.max { one, other in total(one) < total(other) }
        return (longest ?? []).reduce(into: []) { parts, part in
            if let index = parts.firstIndex(where: { $0.name == part.name }) {
                parts[index].milliseconds += part.milliseconds
            } else {
                parts.append(part)
            }
        }
    }

    private static func total(_ parts: [Part]) -> Double { parts.reduce(0) { $0 + $1.milliseconds } }
}

extension DurationDistribution {
    /// Returns a quantile in milliseconds with one digit after the decimal point; `null` without values.
    package func json(_ share: Double) -> JSONValue { quantile(share).map { .number(.tenths(of: $0)) } ?? .null }
}
