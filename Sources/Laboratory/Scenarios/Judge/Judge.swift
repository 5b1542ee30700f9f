import Base
import NotificationModel

/// The comparison of a scenario's results with its expectations.
struct Judge {
    /// The time that a result may be later than expected, for the work of the machine.
    private static let tolerance = 0.05

    let scenario: Scenario
    let facts: ScenarioFacts

    /// Returns a check for each expectation, in the order of the file.
    func checks(of notifications: [ProcessedNotification]) -> [Check] {
        var checks: [Check] = []
        let isSingle = scenario.steps.count == 1
        for (index, notification) in notifications.enumerated() {
            let own = scenario.steps[index].expectation
            // The expectation of the scenario is that of its last payload.
            let shared = index == notifications.count - 1 ? scenario.expectation : nil
            for expectation in [own, shared].compactMap(\.self) {
                var comparison = Comparison(notification: notification, step: isSingle ? nil : index + 1)
                comparison.compare(expectation)
                checks += comparison.checks
                if let phone = expectation.phone {
                    let judgement = PhoneJudgement(
                        scenario.phone ?? PhoneModel(), notifications, at: index, over: scenario.link)
                    checks += judgement.checks(phone)
                }
                if let within = expectation.within {
                    checks.append(time(within, of: notification, step: comparison.step))
                }
            }
        }
        for expectation in scenario.steps.compactMap(\.expectation) + [scenario.expectation] {
            checks += expectation.hits.map(hits) + [expectation.memory].compactMap(\.self).compactMap(memory)
        }
        return checks.sorted { $0.mark < $1.mark }
    }

    private func time(_ within: Placed<Measure>, of notification: ProcessedNotification, step: Int?) -> Check {
        let seconds = notification.timing.elapsed.seconds
        return Check(
            mark: within.mark, step: step, key: "within", expected: within.value.text, got: ShownNumber.time(seconds),
            isMet: within.value.contains(seconds, tolerance: Self.tolerance),
            advice: Explanation(notification).slowest.map { "most of the time: \($0)" })
    }

    private func hits(_ expected: (key: Placed<String>, count: Placed<Measure>)) -> Check {
        let got = facts.routes.hits(expected.key.value)
        let measure = expected.count.value
        return Check(
            mark: expected.count.mark, key: "hits \(expected.key.value)", expected: measure.text,
            got: got.map(String.init) ?? "no path", isMet: got.map { measure.contains(Double($0)) } ?? false,
            advice: got == 0 ? "no request had this path: compare it with the URLs of the payload" : nil)
    }

    private func memory(_ expected: Placed<Measure>) -> Check {
        let got = facts.workerMemory
        return Check(
            mark: expected.mark, key: "memory", expected: expected.value.text,
            got: got.map { ShownNumber.size(Double($0)) } ?? "no worker",
            isMet: got.map { expected.value.contains(Double($0)) } ?? true)
    }
}

/// Numbers as failure lines show them.
enum ShownNumber {
    static func time(_ seconds: Double) -> String {
        seconds < 1 ? "\(Int((seconds * 1_000).rounded())) ms" : "\((seconds * 10).rounded() / 10) s"
    }

    static func size(_ bytes: Double) -> String {
        if bytes < 1_000 { return "\(Int(bytes)) B" }
        return bytes < 1e6 ? "\((bytes / 100).rounded() / 10) kB" : "\((bytes / 1e5).rounded() / 10) MB"
    }
}
