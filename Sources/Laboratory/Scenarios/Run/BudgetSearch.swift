import Base
import NotificationModel

/// The search for the smallest budget with which nearly all plays of a scenario are rich.
///
/// The scenario is played with a long budget and many seeds. The time that 99 of 100 rich results take is the first
/// candidate. The candidate is then tried with other seeds, and raised until it is enough.
package struct BudgetSearch: Sendable {
    /// The number of plays for each budget, and the number of those that must be rich.
    private static let (plays, enough) = (100, 99)
    private static let maximum = Duration.seconds(60)
    /// The factor by which a candidate is raised, and the number of candidates.
    private static let (factor, candidates) = (1.25, 8)

    private let seed: UInt64

    package init(seed: UInt64) { self.seed = seed }

    package enum Result: Sendable {
        /// The smallest budget, and the number of rich results with it.
        case found(Duration, rich: Int)
        /// Not even the longest budget is enough.
        case notEnough(rich: Int)
    }

    package func smallest(for scenario: Scenario) async throws(LaboratoryFailure) -> Result {
        let first = try await times(of: scenario, budget: Self.maximum, from: seed)
        guard first.count >= Self.enough else { return .notEnough(rich: first.count) }
        var candidate = Self.rounded(first[Self.enough - 1])
        for number in 1...Self.candidates {
            let rich = try await times(of: scenario, budget: candidate, from: seed &+ UInt64(number * Self.plays)).count
            if rich >= Self.enough { return .found(candidate, rich: rich) }
            candidate = Self.rounded(candidate * Self.factor)
        }
        return .notEnough(rich: 0)
    }

    /// Returns the times of the rich results, in ascending order.
    private func times(
        of scenario: Scenario, budget: Duration, from seed: UInt64
    ) async throws(LaboratoryFailure) -> [Duration] {
        var scenario = scenario
        scenario.seed = nil
        for index in scenario.steps.indices {
            scenario.steps[index].envelope.set("budget", .string("\(Int(budget.milliseconds))ms"))
        }
        var times: [Duration] = []
        for play in 0..<Self.plays {
            let run = try await ScenarioRunner(seed: seed &+ UInt64(play)).run(scenario)
            if let last = run.notifications.last, last.outcome == .rich { times.append(last.timing.elapsed) }
        }
        return times.sorted()
    }

    /// Returns a budget in steps of 50 ms, which is not smaller.
    private static func rounded(_ budget: Duration) -> Duration {
        .milliseconds((Int(budget.milliseconds) / 50 + 1) * 50)
    }
}
