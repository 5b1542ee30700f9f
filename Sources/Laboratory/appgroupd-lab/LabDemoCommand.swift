import Base
import FeatureKit
import Lab
import LinuxIO
import NotificationModel
import NotificationProcessor
import ServiceConfiguration

extension LabDemoCommand: PerformableCommand {
    func perform() async throws {
        let cases = try DemoCase.all(in: fixtures + "/demo")
        var configuration = Configuration.ofThisMachine
        configuration.root = root
        configuration.fetch.allowAddresses = ["127.0.0.0/8"]
        // All faults come from the same origin, so the circuit breaker would open for the cases without a fault.
        configuration.fetch.limits.circuitBreaker = false
        let runtime = try Runtime(configuration)
        let results = root + "/demo"
        do {
            try FileSystem.makeDirectories(results)
            let origin = try await MisbehavingOrigin.start(serving: fixtures + "/media")
            let table = DemoTable(width: StandardStreams.terminalColumns, isColored: StandardStreams.isColored)
            StandardStreams.output(table.head)
            var surprises = 0
            for demo in cases {
                let notification = try await demo.play(through: runtime.pipeline, origin: origin.baseURL)
                let path = "\(results)/\(notification.id).json"
                try FileSystem.replace(path, with: JSONWriter.bytes(of: notification.json, pretty: true) + "\n".utf8)
                let isExpected = demo.expects(notification)
                surprises += isExpected ? 0 : 1
                StandardStreams.output(table.row(demo.title, notification, path: path, isExpected: isExpected))
            }
            await origin.stop()
            await runtime.shutdown()
            let places = "Renditions are in \(root)/group.demo/media, the index in \(root)/group.demo/index.sqlite."
            let lines = WrappedText.lines(of: places, after: "", indent: 0, width: StandardStreams.terminalColumns)
            StandardStreams.output("\n" + lines.joined(separator: "\n"))
            guard surprises == 0 else {
                throw CommandFailure(.failed, "\(surprises) of \(cases.count) results differ from the expected ones")
            }
        } catch let error as CommandFailure {
            throw error
        } catch {
            throw CommandFailure(.failed, "lab demo: \(error)")
        }
    }
}

/// A file of `fixtures/demo`: a title, a request, and the expected outcome and reason.
struct DemoCase {
    let title: String
    private let request: String
    private let outcome: String?
    private let reason: String?

    /// Returns all cases of a directory, in the order of the files' names.
    static func all(in directory: String) throws(CommandFailure) -> [DemoCase] {
        do {
            let names = try FileSystem.names(in: directory).filter { $0.hasSuffix(".json") }.sorted()
            return try names.map { name in
                let value = try JSONParser.value(of: try FileSystem.contents(of: "\(directory)/\(name)"))
                return DemoCase(value, name: name)
            }
        } catch {
            throw CommandFailure(
                .usage, "\(directory): \(error): run the command in the project's directory, or name --fixtures")
        }
    }

    private init(_ value: JSONValue, name: String) {
        title = value["title"]?.string ?? name
        request = value["request"].map { JSONWriter.text(of: $0) } ?? "{}"
        outcome = value["expect"]["outcome"]?.string
        reason = value["expect"]["reason"]?.string
    }

    /// Processes the request, in which a URL replaces `{{origin}}`, and returns the emitted result.
    func play(through pipeline: NotificationPipeline, origin: String) async throws -> ProcessedNotification {
        let text = request.replacing("{{origin}}", with: origin)
        let clock = SystemClock()
        let reader = EnvelopeReader(defaults: RequestDefaults(), dialects: .standard)
        let object = try JSONParser.value(of: text).object ?? JSONObject()
        let (request, error) = reader.request(from: Submission(object: object, arrival: clock.reading))
        if let error { throw error }
        var emitted: ProcessedNotification?
        try await pipeline.process(request) { emitted = $0 }
        guard let emitted else { throw CommandFailure(.failed, "\(title): nothing was emitted") }
        return emitted
    }

    func expects(_ notification: ProcessedNotification) -> Bool {
        notification.outcome.rawValue == outcome && notification.reason?.rawValue == reason
    }
}

/// The results of the demo as text. Each result has a row. Its attachments and its file are below the row.
struct DemoTable {
    private static let widths = [36, 13, 19]

    /// The number of columns of the terminal; `nil` if paths are not shortened.
    let width: Int?
    let isColored: Bool

    var head: String { line(["case", "outcome", "reason", "time"]) }

    func row(_ title: String, _ notification: ProcessedNotification, path: String, isExpected: Bool) -> String {
        let milliseconds = Int(notification.timing.elapsed.milliseconds.rounded())
        let row = line(
            [title, notification.outcome.rawValue, notification.reason?.rawValue ?? "-", "\(milliseconds) ms"],
            color: notification.outcome.color)
        let files = notification.attachments.map { attachment in
            let head = "    \(attachment.identifier): "
            return head + TerminalText.path(attachment.asset.path, width: width.map { $0 - head.count })
        }
        let result = "    result: \(path)" + (isExpected ? "" : "   <- not expected")
        return ([row] + files + [result]).joined(separator: "\n")
    }

    /// - Parameter color: The color of the second cell.
    private func line(_ cells: [String], color: TerminalColor? = nil) -> String {
        zip(cells, Self.widths + [0]).enumerated().map { index, cell in
            let blanks = String(repeating: " ", count: max(index < Self.widths.count ? 1 : 0, cell.1 - cell.0.count))
            guard isColored, index == 1, let color else { return cell.0 + blanks }
            return color.bold(cell.0) + blanks
        }.joined()
    }
}
