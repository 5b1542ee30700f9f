import Base
import NotificationModel

/// A rule about one kind of mistake, with its severity, its meaning, its source and its check.
package struct LintRule: Sendable {
    /// The name of the rule, which scripts and `--ignore` use. It must not change.
    package let id: String
    package let severity: LintSeverity
    /// The meaning of the rule, in one or two sentences.
    package let meaning: String
    /// The reason for the rule, or the page that documents it.
    package let source: String
    let precedence: LintPrecedence
    /// The function that finds the mistakes in an object. For a rule about a text that is not an object, the function
    /// finds nothing.
    let check: @Sendable (LintSubject) -> [RuleFinding]

    init(
        _ id: String, _ severity: LintSeverity, _ meaning: String, source: String, precedence: LintPrecedence = .first,
        check: @escaping @Sendable (LintSubject) -> [RuleFinding] = { _ in [] }
    ) {
        self.id = id
        self.severity = severity
        self.meaning = meaning
        self.source = source
        self.precedence = precedence
        self.check = check
    }

    /// Returns a rule that finds at most one mistake in an object.
    static func single(
        _ id: String, _ severity: LintSeverity, _ meaning: String, source: String, precedence: LintPrecedence = .first,
        check: @escaping @Sendable (LintSubject) -> RuleFinding?
    ) -> LintRule {
        LintRule(id, severity, meaning, source: source, precedence: precedence) { [check($0)].compactMap(\.self) }
    }

    /// Returns a rule that finds at most one mistake in each part of an object, such as each media item.
    ///
    /// - Parameter parts: A function that returns the parts of an object.
    static func each<Part>(
        _ parts: @escaping @Sendable (LintSubject) -> [Part], _ id: String, _ severity: LintSeverity,
        _ meaning: String, source: String, precedence: LintPrecedence = .first,
        check: @escaping @Sendable (Part, LintSubject) -> RuleFinding?
    ) -> LintRule {
        LintRule(id, severity, meaning, source: source, precedence: precedence) { subject in
            parts(subject).compactMap { check($0, subject) }
        }
    }

    /// Returns a rule whose mistakes the dialect of the payload finds. The dialect uses the same name for the rule.
    static func found(
        _ id: String, _ severity: LintSeverity, _ meaning: String, source: String, precedence: LintPrecedence = .first
    ) -> LintRule {
        LintRule(id, severity, meaning, source: source, precedence: precedence) { findings(of: id, in: $0) }
    }

    /// Returns the mistakes that the dialect of the payload has found for a rule.
    static func findings(of rule: String, in subject: LintSubject) -> [RuleFinding] {
        subject.reading.problems.filter { $0.rule == rule }.map { problem in
            RuleFinding(
                JSONPath(subject.payload.path.steps + problem.place.steps), VisibleText.of(problem.text),
                fix: problem.fix)
        }
    }
}

/// The precedence of a rule among the rules that find mistakes at the same position. The most specific is first.
///
/// A finding is left out if a rule of a higher precedence has an error or a warning at the same position.
enum LintPrecedence: Int, Sendable {
    /// The rule identifies one specific mistake and its correction.
    case first
    /// The rule compares the payload with the keys and values that dialects read.
    case general
    /// The rule detects only that no dialect reads the value.
    case last
}

package enum LintSeverity: String, Sendable, CaseIterable, Comparable {
    /// The payload has a property that the sender should know, but that is probably no mistake.
    case note
    /// The payload is sent, but a part of it is probably a mistake.
    case warning
    /// A push service refuses the payload, or a part of the payload has no effect.
    case error

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    package static func < (left: LintSeverity, right: LintSeverity) -> Bool { left.rank < right.rank }
}

/// A mistake that the check of a rule has found: the position, the description and the correction.
struct RuleFinding {
    /// The position of the mistake in the object of the file.
    let path: JSONPath
    /// The description of the mistake: one sentence without a full stop.
    let message: String
    /// The correction: one sentence in the imperative, without a full stop.
    let fix: String

    init(_ path: JSONPath, _ message: String, fix: String) {
        self.path = path
        self.message = message
        self.fix = fix
    }

    init(_ node: JSONNode, _ message: String, fix: String) { self.init(node.path, message, fix: fix) }
}

package struct LintFinding: Sendable, Equatable {
    /// The name of the file on the command line.
    package var file: String
    package var rule: String
    package var severity: LintSeverity
    /// The JSON pointer (RFC 6901) to the position in the object of the file. It is empty for the whole object or file.
    package var pointer: String
    package var message: String
    package var fix: String
    /// The number of the line, from 1.
    package var line: Int
    /// The number of the column in Unicode scalars, from 1.
    package var column: Int
}

/// A group of rules about one subject.
package struct LintFamily: Sendable {
    /// The heading of the group in `docs/use/lint.md`.
    package let name: String
    package let rules: [LintRule]

    /// All groups in the order of `docs/use/lint.md`. Findings at the same position are reported in this order, too.
    package static let all = [
        LintFamily(name: "Files", rules: FileRules.all),
        LintFamily(name: "Sizes", rules: SizeRules.all),
        LintFamily(name: "Envelopes", rules: EnvelopeRules.all),
        LintFamily(name: "Dialects", rules: DetectionRules.all + UnreadKeyRules.all),
        LintFamily(name: "Keys of `aps`", rules: KeyRules.all),
        LintFamily(name: "Values of `aps`", rules: ValueRules.all),
        LintFamily(name: "Delivery", rules: DeliveryRules.all),
        LintFamily(name: "Live Activities", rules: LiveActivityRules.all),
        LintFamily(name: "Headers of APNs", rules: HeaderRules.all),
        LintFamily(name: "Media", rules: MediaRules.all + MediaTypeRules.all + UnreadMediaRules.all),
        LintFamily(name: "Texts", rules: TextRules.all),
        LintFamily(name: "Dates", rules: DateRules.all),
        LintFamily(name: "Providers", rules: ProviderRules.all),
        LintFamily(name: "With `--fetch`", rules: FetchedMediaRules.all),
    ]
}

extension LintRule {
    package static let all = LintFamily.all.flatMap(\.rules)
}
