import ArgumentParser
import CommandSupport
import FoundationEssentials
import JSON
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
    private(set) var status = ProcessStatus()

    init(
        format: ProcessFormat, isPretty: Bool, requirement: ProcessRequirement?, linter: PayloadLinter
    ) {
        self.format = format
        self.isPretty = isPretty
        self.requirement = requirement
        self.linter = linter
    }

    mutating func tell(_ event: PayloadEvent) {
        if let content = event.content {
            print(content)
            let notification = content.notification
            StandardStreams.detail(
                "\(content.input): \(notification.outcome.rawValue), \(HumanText.duration(notification.timing.elapsed))"
            )
        }
        if let content = event.content, content.notification.payload.dialect == nil,
            let problem = content.notification.problem, event.problem == nil
        {
            StandardStreams.error("appgroupd: \(content.input): \(problem)")
        }
        if let problem = event.problem { StandardStreams.error("appgroupd: \(problem)") }
        let shortfall = event.content.flatMap { requirement?.shortfall(of: $0.notification) }
        if let shortfall, let requirement, let input = event.content?.input {
            StandardStreams.error("appgroupd: \(input): --require \(requirement) is not met: \(shortfall)")
        }
        status.count(problem: event.problem, shortfall: shortfall)
    }

    private func print(_ content: PayloadEvent.Content) {
        switch format {
        case .json:
            let json = content.notification.json.object.map { object in
                var object = object
                object.append("input", content.input.json)
                return JSONValue.object(object)
            }
            StandardStreams.output(JSONWriter.text(of: json ?? .null, pretty: isPretty))
        case .text:
            let file = LintFile(
                name: content.input.file, bytes: Array(JSONWriter.text(of: .object(content.notification.userInfo)).utf8)
            )
            let report = ContentReport(
                content: content.notification.json, heading: content.input.description,
                findings: linter.lint(file).filter { $0.severity > .note })
            let lines = report.lines(width: StandardStreams.columns, isColored: StandardStreams.isColored)
            StandardStreams.output((lines + [""]).joined(separator: "\n"))
        }
    }
}
