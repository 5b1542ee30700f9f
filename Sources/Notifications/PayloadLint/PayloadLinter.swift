package import Base
package import FoundationEssentials
package import NotificationModel
package import NotificationProcessor

/// A checker of payloads, for use before they are sent.
///
/// The linter receives the bytes of files (`LintFile`), and the results of fetching the media that their payloads name
/// (`MediaFact`). It returns findings in the order of their positions in each file. Each rule is a value of
/// `LintFamily.all`: a name, a severity, a meaning, a source and a function. Rules check the payload as the dialects
/// read it. So a string is checked as a media item only if the dialect reads it as a media item.
///
/// The linter refuses nothing: a text that is not JSON is a finding. An object of more than 64 KiB without its media is
/// reported, and its content is not checked.
///
/// The linter has no state and no clock, and performs no I/O, so the same file always has the same findings. It runs on
/// the thread of its caller. It is not cancelled, because its time and memory grow only with the size of the file.
///
/// To add a new rule, do this: write a ``LintRule`` in a list `all` of `Rules/`, and its cases in the tests: payloads
/// with the mistake, and similar payloads that are correct. `RuleTests` fails until the rule has both.
/// `docs/use/lint.md` follows with `REWRITE_GOLDENS=1`.
package struct PayloadLinter: Sendable {
    /// The maximum number of findings of one rule in one object. More findings of one rule have a common cause.
    static let maxOfOneRule = 100

    let dialects: DialectTable
    let requested: DialectID?
    let date: Date
    let allowed: [AddressRange]
    let locator: MediaURLResolver
    private let ignored: Set<String>
    private let rules: [LintRule]

    /// Creates a linter that checks all rules except the ignored rules.
    ///
    /// - Parameter requested: The dialect of payloads whose envelope names no dialect. If `nil`, it is detected.
    /// - Parameter date: The current time, for rules about expiry.
    /// - Parameter allowed: The private addresses that recipients can reach.
    /// - Parameter locator: The resolver with the servers of relative URLs.
    /// - Parameter ignored: The names of the rules that are not checked.
    package init(
        dialects: DialectTable = .standard, requested: DialectID? = nil, date: Date, allowed: [AddressRange] = [],
        locator: MediaURLResolver = MediaURLResolver(), ignored: Set<String> = []
    ) {
        self.dialects = dialects
        self.requested = requested
        self.date = date
        self.allowed = allowed
        self.locator = locator
        rules = LintRule.all.filter { !ignored.contains($0.id) }
        self.ignored = ignored
    }

    /// Returns the findings of a file, in the order of their positions.
    ///
    /// - Parameter facts: The results of fetching, by the URL in the payload. It is empty without fetching.
    package func lint(_ file: LintFile, facts: [String: MediaFact] = [:]) -> [LintFinding] {
        var found = file.problems.filter { !ignored.contains($0.rule.id) }
            .map { (rule: $0.rule, finding: $0.finding, offset: $0.offset) }
        for object in file.objects {
            let subject = LintSubject(object, by: self, facts: facts)
            let findings = rules.flatMap { rule in
                rule.check(subject).prefix(Self.maxOfOneRule).map { (rule: rule, finding: $0) }
            }
            var explained: [JSONPath: Int] = [:]
            for (rule, finding) in findings where rule.severity > .note {
                explained[finding.path] = min(explained[finding.path] ?? .max, rule.precedence.rawValue)
            }
            for (rule, finding) in findings where rule.precedence.rawValue <= explained[finding.path] ?? .max {
                found.append((rule, finding, object.offset(of: finding.path)))
            }
        }
        // The sort is stable: findings at the same position keep the order of their rules.
        return found.enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }.map {
            let (rule, finding, offset) = $0.element
            let (line, column) = file.lines.position(of: offset)
            return LintFinding(
                file: file.name, rule: rule.id, severity: rule.severity, pointer: finding.path.description,
                message: finding.message, fix: finding.fix, line: line, column: column)
        }
    }

    /// Returns the media of files that can be fetched, each URL once, in the order of the files. A media item whose URL
    /// has a mistake is not returned.
    package func fetchableMedia(of files: [LintFile]) -> [LintMediaItem] {
        var seen: Set<String> = []
        return files.flatMap(\.objects).flatMap { LintSubject($0, by: self, facts: [:]).media }
            .filter { $0.isFetchable && seen.insert($0.reference.url).inserted }
    }
}
