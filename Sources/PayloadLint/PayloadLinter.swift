package import FoundationEssentials
import JSON
package import NotificationModel
package import NotificationProcessor

/// Says what is wrong with payloads before they are sent.
///
/// What comes in: a file's bytes, and what is known of the media that its payloads name (`MediaFact`, for who fetched
/// them). What goes out: findings, in the order of their places in the file. Each rule is a value of `LintFamily.all`:
/// what it is called, how bad it is, what it means, who says so, and a function that looks. Rules see the payload as the
/// dialects read it, so that what is no medium to them is none here.
///
/// No I/O, no clock of its own, no state: the same file gives the same findings. Time and memory grow with the file's
/// size; objects past 64 KiB without their media are told and not looked into.
package struct PayloadLinter: Sendable {
    /// Of one rule in one object; whoever has more has one cause.
    static let mostOfOneRule = 100

    private let dialects: DialectTable
    private let requested: DialectID?
    private let date: Date
    private let allowed: [AddressRange]
    private let locator: MediaURLResolver
    private let ignored: Set<String>
    private let rules: [LintRule]

    /// - Parameters:
    ///   - requested: whose the payloads are, without detection, where their envelopes do not say.
    ///   - date: now, for what expires.
    ///   - allowed: private addresses that receivers reach.
    ///   - locator: the servers that relative URLs are on.
    ///   - ignored: identifiers of rules that are not looked at.
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

    /// - Parameter facts: what fetching found, by the URL as the payload writes it; empty where nothing was fetched.
    package func lint(_ file: LintFile, facts: [String: MediaFact] = [:]) -> [LintFinding] {
        var found = file.problems.filter { !ignored.contains($0.rule.id) }
            .map { (rule: $0.rule, flaw: $0.flaw, offset: $0.offset) }
        for object in file.objects {
            let subject = subject(object, facts: facts)
            let flaws = rules.flatMap { rule in
                rule.check(subject).prefix(Self.mostOfOneRule).map { (rule: rule, flaw: $0) }
            }
            var explained: [JSONPath: Int] = [:]
            for (rule, flaw) in flaws where rule.severity > .note {
                explained[flaw.path] = min(explained[flaw.path] ?? .max, rule.precedence.rawValue)
            }
            for (rule, flaw) in flaws where rule.precedence.rawValue <= explained[flaw.path] ?? .max {
                found.append((rule, flaw, object.offset(of: flaw.path)))
            }
        }
        // Stable: rules that meet at one place keep their order.
        return found.enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }.map {
            let (rule, flaw, offset) = $0.element
            let (line, column) = file.lines.position(of: offset)
            return LintFinding(
                file: file.name, rule: rule.id, severity: rule.severity, pointer: flaw.path.description,
                message: flaw.message, fix: flaw.fix, line: line, column: column)
        }
    }

    /// What of files can be fetched, each URL once, in their order: those that no rule finds wrong.
    package func fetchableMedia(of files: [LintFile]) -> [LintMedium] {
        var seen: Set<String> = []
        return files.flatMap(\.objects).flatMap { subject($0, facts: [:]).media }
            .filter { $0.isFetchable && seen.insert($0.reference.url).inserted }
    }

    private func subject(_ object: LintObject, facts: [String: MediaFact]) -> LintSubject {
        LintSubject(
            object, dialects: dialects, requested: requested, date: date, allowed: allowed, locator: locator,
            facts: facts)
    }
}
