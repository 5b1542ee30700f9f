import JSON
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
    let precedence: LintPrecedence
    /// Not called for what is seen before there is an object.
    let check: @Sendable (LintSubject) -> [LintFlaw]

    init(
        _ id: String, _ severity: LintSeverity, _ meaning: String, source: String, precedence: LintPrecedence = .first,
        check: @escaping @Sendable (LintSubject) -> [LintFlaw] = { _ in [] }
    ) {
        self.id = id
        self.severity = severity
        self.meaning = meaning
        self.source = source
        self.precedence = precedence
        self.check = check
    }

    /// A rule of what the payload's dialect finds wrong itself, under the same name.
    static func found(
        _ id: String, _ severity: LintSeverity, _ meaning: String, source: String, precedence: LintPrecedence = .first
    ) -> LintRule {
        LintRule(id, severity, meaning, source: source, precedence: precedence) { flaws(of: id, in: $0) }
    }

    /// The problems of a rule that the payload's dialect has found.
    static func flaws(of rule: String, in subject: LintSubject) -> [LintFlaw] {
        subject.reading.problems.filter { $0.rule == rule }.map { problem in
            LintFlaw(
                JSONPath(subject.payload.path.steps + problem.place.steps), VisibleText.of(problem.text),
                fix: problem.fix)
        }
    }
}

/// Which of several rules reports a mistake: the one that knows most about it.
///
/// A finding is left out if a rule of an earlier precedence has an error or a warning at the same place.
enum LintPrecedence: Int, Sendable {
    /// The rule knows what is wrong there.
    case first
    /// The rule compares a payload with what dialects read.
    case general
    /// The rule knows only that nobody reads it.
    case last
}

/// How bad a finding is.
package enum LintSeverity: String, Sendable, CaseIterable, Comparable {
    /// Worth knowing.
    case note
    /// It is sent, and something of it is probably not as it was meant.
    case warning
    /// It is refused, or a part of it does nothing.
    case error

    private var rank: Int {
        switch self {
        case .note: 0
        case .warning: 1
        case .error: 2
        }
    }

    package static func < (left: LintSeverity, right: LintSeverity) -> Bool { left.rank < right.rank }
}

/// What a check of a rule found: where, what, and how to mend it.
struct LintFlaw {
    /// In the file's object.
    let path: JSONPath
    /// One sentence without a full stop.
    let message: String
    /// One sentence without a full stop, in the imperative.
    let fix: String

    init(_ path: JSONPath, _ message: String, fix: String) {
        self.path = path
        self.message = message
        self.fix = fix
    }

    init(_ node: JSONNode, _ message: String, fix: String) { self.init(node.path, message, fix: fix) }
}

/// One thing that is wrong with one payload.
package struct LintFinding: Sendable, Equatable {
    /// As the command line names it.
    package var file: String
    /// The rule's identifier.
    package var rule: String
    package var severity: LintSeverity
    /// RFC 6901, in the file's object; empty: the object itself, or the file.
    package var pointer: String
    package var message: String
    package var fix: String
    /// From 1.
    package var line: Int
    /// Unicode scalars from 1.
    package var column: Int
}
