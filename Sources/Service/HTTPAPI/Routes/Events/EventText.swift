import Base
import Digests
import FoundationEssentials
import NotificationModel

/// The text form of events in a stream (WHATWG HTML §9.2). The data of each event is one line of JSON.
enum EventText {
    static let heartbeat = ":\n\n"
    /// The time in milliseconds after which a browser opens a stream again that has ended.
    static let reconnection = "retry: 2000\n"
    /// The last comment of a stream whose token is no longer valid.
    static let credentialEnd = ": the token has expired or is no longer permitted\n\n"

    static func text(of event: RequestEvent) -> String {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        var data = data(of: event.key, recipient: event.recipient, labels: event.labels.map { .string($0) })
        if case .emitted(let outcome, let reason) = event.kind {
            data.append("outcome", .string(outcome.rawValue))
            data.append("reason", reason.map { .string($0.rawValue) } ?? .null)
        }
        if case .prepared(let message) = event.kind { message.append(to: &data) }
        data.append("at", .string(event.date.formatted(style)))
        data.append("elapsedMs", event.elapsed.map { .number($0.milliseconds.roundedToTenths) } ?? .null)
        return "id: \(oneLine(event.id))\n" + text(of: event.kind.name, data)
    }

    /// Returns the emission of a request whose event is no longer in the replay buffer. The time comes from the
    /// content. The text has no id, so the client keeps its last id.
    static func text(of content: EmittedContent) -> String {
        let result = try? JSONParser.value(of: content.json)
        let hash = result["recipient"]?.string.map { RecipientHash.text(of: $0, in: content.key.group.description) }
        var data = data(of: content.key, recipient: hash, labels: result["labels"]?.array ?? [])
        data.append("outcome", .string(content.outcome.rawValue))
        data.append("reason", content.reason.map { .string($0.rawValue) } ?? .null)
        let timing = result["timing"]
        data.append("at", timing["emittedAt"] ?? .null)
        data.append("elapsedMs", timing["elapsedMs"] ?? .null)
        return text(of: RequestEvent.Kind.emitted(content.outcome, content.reason).name, data)
    }

    /// Returns the event that tells a client that it has missed events.
    ///
    /// - Parameter start: The time from which events are missing; `nil` if it is not known.
    /// - Parameter isRepeated: Whether the emissions since then follow, so that only other events are missing.
    static func gap(from start: Date?, to end: Date, isRepeated: Bool) -> String {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return text(
            of: "gap",
            [
                "from": .text(start?.formatted(style)), "to": .string(end.formatted(style)),
                "emissions": .string(isRepeated ? "repeated" : "missing"),
            ])
    }

    private static func data(of key: RequestKey, recipient: String?, labels: [JSONValue]) -> JSONObject {
        var data: JSONObject = ["id": .string(key.id.description), "appGroup": .string(key.group.description)]
        if let recipient { data.append("recipient", .string(recipient)) }
        if !labels.isEmpty { data.append("labels", .array(labels)) }
        return data
    }

    private static func text(of name: String, _ data: JSONObject) -> String {
        "event: \(name)\ndata: \(JSONWriter.text(of: .object(data)))\n\n"
    }

    /// Removes line ends from an id, because a line end would end the field.
    private static func oneLine(_ id: String) -> String { id.filter { !$0.isNewline && $0 != "\0" } }
}

extension RequestEvent.Kind {
    fileprivate var name: String {
        switch self {
        case .accepted: "accepted"
        case .started: "started"
        case .emitted: "emitted"
        case .prepared(let message): message.state.hasFailed ? "message.failed" : "message.ready"
        }
    }
}

extension PreparedMessage {
    fileprivate func append(to data: inout JSONObject) {
        data.append("name", .string(name.description))
        data.append("version", .number(JSONNumber(version)))
        data.append("profile", .string(profile))
        switch state {
        case .preparing: break
        case .prepared(let outcome, let reason):
            data.append("outcome", .string(outcome.rawValue))
            data.append("reason", .text(reason?.rawValue))
        case .refused(let problem):
            data.append("outcome", .null)
            data.append("problem", .string(problem))
        }
    }
}
