package import NotificationModel

/// The results of a scenario.
package struct ScenarioRun: Sendable {
    package var scenario: Scenario
    /// The result of each payload.
    package var notifications: [ProcessedNotification] = []
    package var unlisted: [UnlistedRequest] = []
    /// The hosts of `hosts` that no request has used.
    package var unusedHosts: [String] = []
    /// The requests of the run, each with its host and path.
    package var requests: [String] = []
    package var checks: [Check] = []
    package var seed: UInt64
    /// Whether waits took their real time.
    package var isReal = false
    /// The real time of the run.
    package var elapsed: Duration = .zero

    package var failures: [Check] { checks.filter { !$0.isMet } }
    package var hasPassed: Bool { failures.isEmpty }
}

/// An expectation with its result.
package struct Check: Sendable {
    /// The place of the expectation in the scenario.
    package var mark: TextMark
    /// The number of the payload, from 1; `nil` if the scenario has only one, or if the whole scenario is checked.
    package var step: Int?
    package var key: String
    package var expected: String
    package var got: String
    package var isMet: Bool
    /// A change that would meet the expectation; `nil` if none is known.
    package var advice: String?

    package var sentence: String { "\(key): expected \(expected), got \(got)" }
}

/// A failure of the laboratory itself, which says nothing about the scenario.
package struct LaboratoryFailure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
