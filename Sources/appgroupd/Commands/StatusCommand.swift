import ArgumentParser
import HTTPAPI
import JSON
import NotificationModel

struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Ask a running daemon how it is, or what became of a request.",
        discussion: """
            Without an ID: what the daemon has to do and has done. With one: the state of the request (queued, running), \
            or its content when it is emitted. Status 1 when there is no daemon, or no such request.

            Examples:
              appgroupd status --root ./var
              appgroupd status --root ./var --group group.demo order-17
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text
        case json
    }

    @Argument(help: "The identifier of a request.")
    var id: String?

    @Option(help: "The app group of the request.")
    var group = AppGroupName.default.description

    @Option(help: "text or json.")
    var format = Format.text

    @OptionGroup var query: DaemonQuery

    func run() async throws {
        let client = try query.client()
        let answer = try await client.ask(
            "GET",
            id.map { DaemonQuery.target("/v1/notifications", $0, group: group) } ?? "/v1/status")
        guard answer.status == 200 else { throw CommandFailure(.failed, answer.problem) }
        guard format == .text, let value = try? JSONParser.value(of: answer.body) else {
            return StandardStreams.output(answer.text)
        }
        StandardStreams.output(
            id == nil ? DaemonStatus(value).text : JSONWriter.text(of: value, pretty: true))
    }
}

/// What `/v1/status` says, in words.
struct DaemonStatus {
    private let value: JSONValue

    init(_ value: JSONValue) { self.value = value }

    var text: String {
        let load = value["load"]
        let emitted = (load["emitted"]?.object?.members ?? []).filter { $0.value.integer != 0 }
        let seconds = (value["uptimeMs"]?.integer ?? 0) / 1_000
        let state = value["draining"]?.bool == true ? "ending" : value["ready"]?.bool == true ? "ready" : "starting"
        let rows = [
            ("daemon", "\(state), version \(value["version"]?.string ?? "?"), up \(seconds) s"),
            ("running", "\(load["running"]?.integer ?? 0)"),
            ("queued", "\(load["queued"]?.integer ?? 0)"),
            ("accepted", "\(load["accepted"]?.integer ?? 0) since the start"),
            (
                "emitted",
                emitted.isEmpty
                    ? "none yet" : emitted.map { "\($0.key) \($0.value.integer ?? 0)" }.joined(separator: ", ")
            ),
        ]
        return rows.map { name, text in
            name + String(repeating: " ", count: 10 - name.count) + text
        }.joined(separator: "\n")
    }
}
