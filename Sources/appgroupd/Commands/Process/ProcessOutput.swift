import ArgumentParser
import Base
import FeatureKit
import FoundationEssentials
import NotificationModel
import PayloadLint

/// The format in which `process` prints a content.
enum ProcessFormat: String, ExpressibleByArgument, CaseIterable {
    case json
    case text
}

/// A writer that prints the results of `process` to standard output, and messages about them to standard error.
struct ProcessOutput {
    let format: ProcessFormat
    /// Whether JSON is printed with indentation, on several lines.
    let isPretty: Bool
    let requirement: ProcessRequirement?
    let linter: PayloadLinter
    private(set) var hasFailed = false
    private(set) var isShort = false

    /// The exit status. Failed work takes precedence over a requirement that is not met.
    var exitStatus: ExitStatus { hasFailed ? .failed : isShort ? .requirementNotMet : .done }

    mutating func tell(_ event: PayloadEvent) {
        var shortfall: String?
        if let content = event.content {
            print(content)
            let (notification, input) = (content.notification, content.input)
            let time = HumanText.duration(notification.timing.elapsed)
            StandardStreams.detail("\(input): \(notification.outcome.rawValue), \(time)")
            if event.problem == nil, notification.payload.dialect == nil, let problem = notification.problem {
                StandardStreams.warn("\(input): \(problem)")
            }
            shortfall = requirement?.shortfall(of: notification)
        }
        if let problem = event.problem { StandardStreams.warn(problem) }
        if let shortfall, let requirement, let input = event.content?.input {
            StandardStreams.warn("\(input): --require \(requirement) is not met: \(shortfall)")
        }
        hasFailed = hasFailed || event.problem != nil
        isShort = isShort || shortfall != nil
    }

    private func print(_ content: PayloadEvent.Content) {
        switch format {
        case .json:
            let json = content.notification.json.setting("input", to: content.input.json, at: .root)
            StandardStreams.output(JSONWriter.text(of: json, pretty: isPretty))
        case .text:
            let bytes = JSONWriter.bytes(of: .object(content.notification.userInfo))
            let file = LintFile(name: content.input.file, bytes: bytes)
            let report = ContentReport(
                content: content.notification.json, heading: content.input.description,
                findings: linter.lint(file).filter { $0.severity > .note })
            let lines = report.lines(width: StandardStreams.columns, isColored: StandardStreams.isColored)
            StandardStreams.output((lines + [""]).joined(separator: "\n"))
        }
    }
}
