import JSON
import NotificationModel

/// An event of Comapi: something happened to a message, a conversation or a profile.
///
/// Names and properties are those of "Available events" in the vendor's iOS guide; where they are in the JSON is in the
/// events of its SDK's tests (`Tests/JSON/Events`), and in "App Messaging events" of its API reference.
package struct ComapiEvent {
    /// The event that brings a new message.
    static let messageSent = "conversationMessage.sent"
    package static let names = [
        messageSent, "conversationMessage.delivered", "conversationMessage.read", "conversation.create",
        "conversation.update", "conversation.delete", "conversation.undelete", "conversation.participantAdded",
        "conversation.participantUpdated", "conversation.participantRemoved", "conversation.participantTyping",
        "conversation.participantTypingOff", "profile.update",
    ]
    /// Keys that an event has in addition to its name: other senders write a `name` alone, too.
    private static let besideName = ownKeys + ["context", "payload", "id"]
    /// Keys of the vendor's. Beside them a name with a slip is taken for the vendor's, too.
    private static let ownKeys = ["eventId", "apiSpaceId", "apiSpace", "conversationId", "messageId"]

    let name: String
    /// The payload writes the name with a slip.
    let problem: PayloadProblem?
    private let event: JSONNode

    /// Recognises names with a slip, too. Otherwise a misspelt read event would be shown as a new message.
    init?(_ payload: JSONNode) {
        func has(_ keys: [String]) -> Bool { keys.contains { payload[$0].exists } }
        guard has(Self.besideName), let written = Self.name(of: payload),
            let name = Self.known(written)
                ?? (has(Self.ownKeys) || payload["payload"]["parts"].array != nil ? Self.nearest(to: written) : nil)
        else { return nil }
        self.name = name
        event = payload
        problem =
            name == written
            ? nil
            : PayloadProblem(
                "comapi-event-name", payload["name"].exists ? payload["name"] : payload["subtype"],
                "\(VisibleText.quoted(written)) is not an event; it is read as \(name)", fix: "Write \(name)")
    }

    private static func known(_ written: String) -> String? {
        names.first { $0.lowercased() == written.lowercased() }
    }

    private static func nearest(to written: String) -> String? {
        names.filter { NearestWord.isSlip(written, of: $0) }
            .min { NearestWord.distance(written, $0) < NearestWord.distance(written, $1) }
    }

    /// The guide's table has a type and a subtype, which the name joins.
    private static func name(of payload: JSONNode) -> String? {
        guard let type = payload["type"].string, let subtype = payload["subtype"].string else {
            return payload["name"].string
        }
        return "\(type).\(subtype)"
    }

    var isMessage: Bool { name == Self.messageSent }

    var conversation: String? {
        // A conversation's own event calls its identifier `id`.
        text("conversationId") ?? event["payload"]["context"]["conversationId"].text
            ?? ownIdentifier(of: "conversation")
    }

    var details: JSONObject {
        var details: JSONObject = ["event": .string(name)]
        let identifiers: [(String, String?)] = [
            ("eventId", event["eventId"].identifier ?? event["id"].identifier),
            ("conversationId", conversation),
            ("messageId", text("messageId") ?? ownIdentifier(of: "conversationMessage")),
            ("profileId", text("profileId") ?? ownIdentifier(of: "profile")),
            ("role", text("role")), ("timestamp", text("timestamp")), ("createdBy", event["context"]["createdBy"].text),
        ]
        for (key, value) in identifiers {
            if let value { details.append(key, .string(value)) }
        }
        return details
    }

    /// The value in the event itself, or in its payload.
    ///
    /// The guide writes the properties with their object before them, such as `conversationMessage.messageId`.
    private func text(_ key: String) -> String? {
        let places = [event, event["payload"]] + ["conversationMessage", "conversation", "profile"].map(event.guess)
        return places.lazy.compactMap { $0[key].identifier }.first
    }

    private func ownIdentifier(of kind: String) -> String? {
        name.hasPrefix(kind + ".") ? event["payload"]["id"].identifier : nil
    }
}
