import ArgumentParser
import Base
import FeatureKit
import FoundationEssentials
import LinuxIO
import NotificationModel
import NotificationProcessor
import PayloadLint
import ServiceConfiguration

struct LintCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Check payloads before they are sent, and say how to correct them.",
        discussion: """
            `lint` reports values that a push service would refuse, values that a phone would ignore, and mistakes \
            that people would see on the phone. Examples are misspelt keys, wrong types, payloads that are too large, \
            and a missing mutable-content. docs/use/lint.md describes every rule.

            A file has payloads or envelopes. Nothing is sent, and no daemon is needed. Media are fetched only with \
            --fetch, from hosts and addresses that the configuration permits.

            Status 0: there is no error; there may be warnings and notes. Status 1: there is an error, or with \
            --strict a warning, or a file cannot be read.

            Examples:
              appgroupd lint push.json
              appgroupd lint --strict --ignore plain-http payloads/*.json
              appgroupd lint --fetch --allow-address 127.0.0.0/8 push.json
              appgroupd lint --format json push.json | jq -r '.[].pointer'
              appgroupd lint --format sarif payloads/*.json > lint.sarif
              curl -s https://example.com/push | appgroupd lint -
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text
        case json
        case sarif
    }

    @Argument(help: ArgumentHelp("Files with payloads; - is standard input.", valueName: "file"))
    var files: [String]

    @Flag(help: "Fetch the media, and check their bytes too.")
    var fetch = false

    @Option(help: "The format of the output.")
    var format = Format.text

    @Option(help: "The lowest severity that is printed.")
    var minSeverity = LintSeverity.note

    @Flag(help: "Exit with status 1 also for warnings. The configuration has lint.failOn for this.")
    var strict = false

    @Option(
        help: ArgumentHelp(
            "Leave out this rule, in addition to lint.ignore of the configuration. Repeatable.", valueName: "rule"))
    var ignore: [String] = []

    @Option(help: "The format of the payloads, such as native, 2mee or fcm. Default: the format is recognised.")
    var dialect: String?

    @Option(
        help: ArgumentHelp(
            "The current time for the expiry of messages, such as 2026-01-31T12:00:00Z. Default: now.",
            valueName: "time"),
        transform: RequestOptions.date)
    var now: Date?

    @Option(
        help: "Check the payloads with the settings of this app group. Default: group.default.",
        transform: RequestOptions.group)
    var group = AppGroupName.default

    @OptionGroup var options: RuntimeOptions
    @OptionGroup var verbosity: VerbosityOptions
    @OptionGroup var profile: ProfileOptions

    func run() async throws {
        let loaded = try ConfigurationLoader(options, profile.flags).configuration()
        for warning in loaded.groups.warnings { StandardStreams.warn(warning) }
        let configuration = try loaded.ofServed(group)
        let rules = PayloadRules(configuration)
        let dialects = rules.dialects
        let linter = PayloadLinter(
            dialects: dialects,
            requested: try dialect.map { name throws(CommandFailure) in
                try RequestOptions.dialect(name, of: dialects.identifiers)
            }, date: now ?? Date(),
            allowed: configuration.fetch.allowedRanges, locator: rules.locator,
            ignored: try ignored(configuration.lint.ignore))
        let read = try await Self.read(files)
        let facts =
            fetch
            ? try await MediaProbe.facts(linter.fetchableMedia(of: read), at: rules.locator, configuration) : [:]
        let findings = read.flatMap { linter.lint($0, facts: facts) }
        let isComplete = read.count == files.count
        let report = LintReport(
            findings.filter { $0.severity >= minSeverity }, fileCount: read.count, unread: files.count - read.count)
        switch format {
        case .text: Self.print(report, of: read)
        case .json: StandardStreams.output(JSONWriter.text(of: report.json, pretty: true))
        case .sarif:
            StandardStreams.output(JSONWriter.text(of: report.sarif(version: Installation.version), pretty: true))
        }
        let configured = LintSeverity(rawValue: configuration.lint.failOn.rawValue) ?? .error
        let limit = strict ? min(.warning, configured) : configured
        guard isComplete, !findings.contains(where: { $0.severity >= limit }) else { throw CommandFailure(.failed) }
    }

    private static func print(_ report: LintReport, of files: [LintFile]) {
        let isColored = StandardStreams.isColored
        guard let width = StandardStreams.terminalColumns else {
            for line in report.lines(isColored: isColored) { StandardStreams.output(line) }
            return
        }
        let named = Dictionary(files.map { ($0.name, $0) }) { first, _ in first }
        let terminal = LintTerminalReport(report: report, files: named, width: width, isColored: isColored)
        StandardStreams.output(terminal.lines.joined(separator: "\n"))
    }

    private func ignored(_ configured: [String]) throws(CommandFailure) -> Set<String> {
        let known = LintRule.all.map(\.id)
        for (names, source) in [(ignore, "--ignore"), (configured, "lint.ignore")] {
            for name in names where !known.contains(name) {
                let hint = NearestWord.related(to: name, among: known).map { "did you mean \($0)?" }
                throw CommandFailure(
                    .usage,
                    "\(source) \(name): \(hint ?? "no rule has this name: a finding ends with the name of its rule in brackets, such as [plain-http]")"
                )
            }
        }
        return Set(ignore + configured)
    }

    /// Reads the files one after the other. A file that cannot be read is reported and left out.
    private static func read(_ names: [String]) async throws(CommandFailure) -> [LintFile] {
        let threads = try CommandFailure.wrapping("the reading thread cannot be started") { try PayloadThreads() }
        var files: [LintFile] = []
        for name in names {
            do throws(SystemError) {
                guard let bytes = try await bytes(of: try threads.source(of: name)) else {
                    StandardStreams.warn("\(name): the file is longer than \(PayloadFile.maxBytes >> 20) MiB")
                    continue
                }
                files.append(LintFile(name: name, bytes: bytes))
            } catch {
                StandardStreams.warn("\(name): \(error.readingProblem)")
            }
        }
        return files
    }

    /// Returns the bytes of a file; `nil` if the file has more than `PayloadFile.maxBytes`.
    private static func bytes(of source: PayloadSource) async throws(SystemError) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count <= PayloadFile.maxBytes {
            let piece = try await source.next()
            if piece.isEmpty { return bytes }
            bytes += piece
        }
        return nil
    }
}

extension LintSeverity: ExpressibleByArgument {}
