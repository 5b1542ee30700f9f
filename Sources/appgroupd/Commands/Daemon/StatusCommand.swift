import ArgumentParser
import Base
import FeatureKit
import HTTPAPI
import NotificationModel
import Sandbox

struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the state of a running daemon, or of one request.",
        discussion: """
            Without an ID, `status` shows the requests of the daemon, and the sandbox of its workers. With an ID, \
            `status` shows the state of this request (queued or running), or its result after the request was emitted.

            With --hosts, `status` shows the hosts from which media were fetched in the last minutes: requests, failures, \
            the time to the first byte, bytes, and the state of the circuit breaker.

            With --wait, `status` first waits until the daemon is ready. Health checks of containers and the start of \
            dependent services use this.

            Status 1: no daemon answers, the daemon has no such request, or the daemon is not ready within --wait.

            Examples:
              appgroupd status --root ./var
              appgroupd status --root ./var --wait 30s
              appgroupd status --root ./var --hosts
              appgroupd status --root ./var --group group.demo order-17
            """)

    @Argument(help: "The id of a request.")
    var id: String?

    @Flag(help: "Show the hosts from which media were fetched in the last minutes.")
    var hosts = false

    @Option(help: "The app group of the request.")
    var group = AppGroupName.default.description

    @Option(help: "The format of the output. Default: text, but json for a request if the output is not a terminal.")
    var format: OutputFormat?

    @Option(
        help: ArgumentHelp("The longest time to wait until the daemon is ready.", valueName: "duration"),
        transform: DurationArgument.parse)
    var wait: Duration?

    @OptionGroup var query: DaemonQuery

    func validate() throws {
        guard !hosts || id == nil else { throw ValidationError("--hosts shows all hosts: leave out the ID.") }
        guard wait == nil || id == nil else { throw ValidationError("--wait waits for the daemon: leave out the ID.") }
    }

    func run() async throws {
        let client = try query.client()
        if let wait { try await client.waitUntilReady(within: wait) }
        if hosts { return try await showHosts(of: client) }
        let target = id.map { DaemonQuery.target("/v1/notifications", $0, group: group) } ?? "/v1/status"
        let answer = try await client.ask("GET", target).expecting(200)
        let format = format ?? (id == nil || StandardStreams.isTerminal ? .text : .json)
        guard format == .text, let value = try? JSONParser.value(of: answer.body) else {
            return StandardStreams.output(answer.text)
        }
        guard let id else {
            let status = DaemonStatus(value: value)
            return StandardStreams.output(
                status.text(width: StandardStreams.terminalColumns, isColored: StandardStreams.isColored))
        }
        if let progress = Self.progress(of: value) { return StandardStreams.output(progress) }
        let report = ContentReport(content: value, heading: id)
        for line in report.lines(width: StandardStreams.columns, isColored: StandardStreams.isColored) {
            StandardStreams.output(line)
        }
    }

    private func showHosts(of client: DaemonClient) async throws {
        let value = try await client.report("/v1/hosts?limit=\(DaemonFacts.maxHosts)")
        guard format != .json else { return StandardStreams.output(JSONWriter.text(of: value)) }
        let table = HostLines(value: value)
        for line in [table.heading] + table.lines(width: StandardStreams.terminalColumns) {
            StandardStreams.output(line)
        }
    }

    /// Returns a sentence about a request that has no result yet, from the response of `/v1/notifications/ID`. Returns
    /// `nil` for the content of an emitted request, which has no `state`.
    private static func progress(of value: JSONValue) -> String? {
        guard let id = value["id"]?.string, let group = value["appGroup"]?.string, let state = value["state"]?.string
        else { return nil }
        let progress =
            switch state {
            case "queued": "queued: its processing has not started"
            case "running": "running: its processing has started, and its result is not emitted yet"
            default: state
            }
        return "Request '\(id)' in group '\(group)' is \(progress)."
    }
}

/// The description of a daemon.
struct DaemonStatus {
    /// The response of `/v1/status`.
    let value: JSONValue

    /// Returns the description as lines of text. Without a width, rows are not wrapped.
    func text(width: Int?, isColored: Bool) -> String {
        let seconds = (value["uptimeMs"]?.integer ?? 0) / 1_000
        let state = value["draining"]?.bool == true ? "ending" : value["ready"]?.bool == true ? "ready" : "starting"
        let daemon = [("daemon", "\(state), version \(value["version"]?.string ?? "?"), up \(seconds) s")]
        return (daemon + loadRows + restingRows + sandboxRows).flatMap { name, text in
            WrappedText.lines(of: text, after: name.leftAligned(in: 10), indent: 10, width: width)
        }.enumerated().map { index, line in
            // The state is the first word of the first row.
            guard isColored, index == 0, let range = line.firstRange(of: state) else { return line }
            let color: TerminalColor = state == "ready" ? .green : .yellow
            return "\(line[..<range.lowerBound])\(color.bold(state))\(line[range.upperBound...])"
        }.joined(separator: "\n")
    }

    private var loadRows: [(String, String)] {
        guard let load = value["load"]?.object else {
            return [("load", "not shown, because the token does not permit all groups")]
        }
        let emitted = (load["emitted"]?.object?.members ?? []).filter { $0.value.integer != 0 }
            .map { "\($0.key) \($0.value.integer ?? 0)" }
        return [
            ("running", "\(load["running"]?.integer ?? 0)"),
            ("queued", "\(load["queued"]?.integer ?? 0)"),
            ("accepted", "\(load["accepted"]?.integer ?? 0) since the start"),
            ("emitted", emitted.isEmpty ? "none yet" : emitted.joined(separator: ", ")),
        ]
    }

    /// The row of the hosts that get no requests at the moment because of failures; no row without such hosts.
    private var restingRows: [(String, String)] {
        guard let count = value["restingHosts"]?["count"]?.integer, count > 0 else { return [] }
        let names = (value["restingHosts"]?["hosts"]?.array ?? []).compactMap { $0["host"]?.string }
        let more = count > names.count ? " and \(count - names.count) more" : ""
        return [("resting", names.joined(separator: ", ") + more)]
    }

    /// The rows of the active and missing layers of the sandbox around each worker, and of its permitted system calls.
    private var sandboxRows: [(String, String)] {
        guard let report = value["sandbox"].flatMap(SandboxReport.init) else {
            return [("sandbox", "not known yet")]
        }
        let missing = report.missing.map { "\($0.layer.name) (\($0.detail))" }
        return [
            ("sandbox", report.layers.filter(\.stands).map(\.layer.name).joined(separator: ", ")),
            ("missing", missing.isEmpty ? "no layer" : missing.joined(separator: ", ")),
            ("calls", report.allowedCalls.joined(separator: ", ")),
        ]
    }
}
