import ArgumentParser
import Base
import FeatureKit
import HTTPAPI
import NotificationModel

struct EventsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events",
        abstract: "Print the events of a running daemon, one JSON object on each line.",
        discussion: """
            Each line has the event (accepted, started or emitted), the id of the event, the id of the request, and \
            the time. With an ID, only the events of that request are printed, until the request is emitted. The \
            command runs until the daemon ends or you press ^C.

            A line with the event gap says that events are missing, for example after a restart of the daemon.

            Examples:
              appgroupd events --root ./var
              appgroupd events --root ./var --after lk3j2x-d8mp3-15
              appgroupd events --root ./var --recipient anna \\
                --from 2026-11-28T08:00:00Z
            """)

    @Argument(help: "The id of a request.")
    var id: String?

    @Option(help: "Only events of this app group. Default: all groups.")
    var group: String?

    @Option(help: "Only events of requests to this receiver.")
    var recipient: String?

    @Option(help: "Only events of notifications of this thread.")
    var thread: String?

    @Option(help: ArgumentHelp("Begin with the emissions since this time.", valueName: "time"))
    var from: String?

    @Option(
        help: ArgumentHelp(
            "Print only events after this one. The value is the eventId of an earlier line.", valueName: "event"))
    var after: String?

    @OptionGroup var query: DaemonQuery

    func validate() throws {
        guard id != nil, recipient ?? thread ?? from != nil else { return }
        throw ValidationError("an ID excludes --recipient, --thread and --from")
    }

    func run() async throws {
        let client = try query.client()
        let target =
            if let id {
                DaemonQuery.target("/v1/notifications", id, "/events", group: group ?? AppGroupName.default.description)
            } else {
                DaemonQuery.target(
                    "/v1/events",
                    parameters: [("group", group), ("recipient", recipient), ("thread", thread), ("from", from)])
            }
        let event = Guarded(ServerSentEvent())
        do {
            try await client.forEachLine(of: target, headers: after.map { ["last-event-id": $0] } ?? [:]) { line in
                if let line = event.withLock({ $0.take(line) }) { StandardStreams.output(line) }
            }
        } catch let error as DaemonClientError {
            throw CommandFailure(.failed, error.problem)
        }
    }
}

/// A parser that joins the lines of each event in an event stream (WHATWG HTML §9.2).
struct ServerSentEvent {
    private var id: String?
    private var name: String?
    private var data: String?

    /// Takes one line of the stream, and returns the event as one line of JSON if this line ends an event.
    mutating func take(_ line: String) -> String? {
        guard !line.isEmpty else {
            defer { self = ServerSentEvent() }
            return text
        }
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let value = parts.count > 1 ? String(parts[1].trimmingPrefix(" ")) : ""
        switch parts[0] {
        case "id": id = value
        case "event": name = value
        case "data": data = value
        default: break
        }
        return nil
    }

    private var text: String? {
        guard let data, let object = try? JSONParser.value(of: data).object else { return nil }
        var event: JSONObject = ["event": .text(name), "eventId": .text(id)]
        for member in object.members { event.append(member.key, member.value) }
        return JSONWriter.text(of: .object(event))
    }
}
