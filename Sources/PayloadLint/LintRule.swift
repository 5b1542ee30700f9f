import NotificationModel

/// One thing that can be wrong: its name, its weight, what it means and who says so, and how it is seen.
package struct LintRule: Sendable {
    /// Scripts and suppressions name it, so it stays.
    package let id: String
    package let severity: LintSeverity
    /// One sentence.
    package let meaning: String
    /// Why it matters, or the page that says so.
    package let source: String
    /// Not called for what is seen before there is an object.
    let check: @Sendable (LintSubject) -> [LintFlaw]

    init(
        _ id: String, _ severity: LintSeverity, _ meaning: String, source: String,
        check: @escaping @Sendable (LintSubject) -> [LintFlaw] = { _ in [] }
    ) {
        self.id = id
        self.severity = severity
        self.meaning = meaning
        self.source = source
        self.check = check
    }

    /// A rule of what the payload's dialect finds wrong itself, under the same name.
    static func found(
        _ id: String, _ severity: LintSeverity, _ meaning: String, source: String
    ) -> LintRule {
        LintRule(id, severity, meaning, source: source) { subject in
            subject.reading.problems.filter { $0.rule == id }.map { problem in
                LintFlaw(
                    JSONPath(subject.payload.path.steps + problem.place.steps), VisibleText.of(problem.text),
                    fix: problem.fix)
            }
        }
    }
}
