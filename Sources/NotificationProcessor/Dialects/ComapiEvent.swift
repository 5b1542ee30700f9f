import JSON
import NotificationModel

/// An event of Comapi, which reports a change of a message, a conversation or a profile.
///
/// Names and properties are those of "Available events" in the vendor's iOS guide. Their paths in the JSON are those of
/// the events in the SDK's tests (`Tests/JSON/Events`), and of "App Messaging events" in the vendor's API reference.
package struct ComapiEvent {
    /// The name of the event that announces a new message.
    static let messageSent = "conversationMessage.sent"
    package static let names = [
        messageSent, "conversationMessage.delivered", "conversationMessage.read", "conversation.create",
        "conversation.update", "conversation.delete", "conversation.undelete", "conversation.participantAdded",
        "conversation.participantUpdated", "conversation.participantRemoved", "conversation.participantTyping",
        "conversation.participantTypingOff", "profile.update",
    ]
    /// Keys that an event has in addition to its name. Other senders have a `name` too, but none of these keys.
    private static let besideName = ownKeys + ["context", "payload", "id"]
    /// Keys that only the vendor uses. An event with one of these keys is recognised as an event of this vendor even if
    /// its name is misspelt.
    private static let ownKeys = ["eventId", "apiSpaceId", "apiSpace", "conversationId", "messageId"]

    let name: String
    /// The problem of a misspelt name; `nil` if the name is correct.
    let problem: PayloadProblem?
    private let event: JSONNode

    /// Reads an event; `nil` if the payload is no event of Comapi. Misspelt names are recognised too. Otherwise a
    /// misspelt event that reports a message as read would be shown as a new message.
    init?(_ payload: JSONNode) {
        func has(_ keys: [String]) -> Bool { keys.contains(where: payload.has) }
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

    /// Returns the event's name. The guide's table has a type and a subtype, which together are the name.
    private static func name(of payload: JSONNode) -> String? {
        guard let type = payload["type"].string, let subtype = payload["subtype"].string else {
            return payload["name"].string
        }
        return "\(type).\(subtype)"
    }

    var isMessage: Bool { name == Self.messageSent }

    var conversation: String? {
        // An event of a conversation has the conversation's identifier in `id`.
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

    /// Returns the value of a key in the event itself, or in its payload.
    ///
    /// The guide writes a property after the name of its object, such as `conversationMessage.messageId`.
    private func text(_ key: String) -> String? {
        let places = [event, event["payload"]] + ["conversationMessage", "conversation", "profile"].map(event.guess)
        return places.lazy.compactMap { $0[key].identifier }.first
    }

    private func ownIdentifier(of kind: String) -> String? {
        name.hasPrefix(kind + ".") ? event["payload"]["id"].identifier : nil
    }
}
