import FoundationEssentials
import NotificationModel
import PayloadLint

/// The linter of the tests, with a fixed time.
enum Lint {
    /// The time 2026-01-31T12:00:00Z.
    static let now = Date(timeIntervalSince1970: 1_769_860_800)
    static let linter = PayloadLinter(date: now)

    static func findings(
        _ text: String, requested: DialectID? = nil, facts: [String: MediaFact] = [:]
    ) -> [LintFinding] {
        findings(Array(text.utf8), requested: requested, facts: facts)
    }

    static func findings(
        _ bytes: [UInt8], requested: DialectID? = nil, facts: [String: MediaFact] = [:]
    ) -> [LintFinding] {
        PayloadLinter(requested: requested, date: now).lint(LintFile(name: "push.json", bytes: bytes), facts: facts)
    }

    /// Returns the findings of one rule.
    static func findings(_ text: String, of rule: String) -> [LintFinding] {
        findings(text).filter { $0.rule == rule }
    }
}
