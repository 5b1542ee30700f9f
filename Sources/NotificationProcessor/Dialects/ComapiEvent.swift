package import NotificationModel

/// An event of Comapi: something happened to a message, a conversation or a profile.
///
/// Names and properties are those of "Available events" in the vendor's iOS guide; where they are in the JSON is in the
/// events of its SDK's tests (`Tests/JSON/Events`), and in "App Messaging events" of its API reference.
package struct ComapiEvent {
    /// The event that brings a new message.
    package static let messageSent = "conversationMessage.sent"
    package static let names = [
        messageSent, "conversationMessage.delivered", "conversationMessage.read", "conversation.create",
        "conversation.update", "conversation.delete", "conversation.undelete", "conversation.participantAdded",
        "conversation.participantUpdated", "conversation.participantRemoved", "conversation.participantTyping",
        "conversation.participantTypingOff", "profile.update",
    ]
    /// Keys that an event has in addition to its name: other senders write a `name` alone, too.
    private static let besideName = ["eventId", "apiSpaceId", "apiSpace", "context", "payload", "id"]

    package let name: String
    private let event: JSONNode

    package init?(_ payload: JSONNode) {
        // A read event in other letters would be shown as a new message.
        let written = Self.name(of: payload)?.lowercased()
        guard let name = Self.names.first(where: { $0.lowercased() == written }), Self.isEvent(payload) else {
            return nil
        }
        self.name = name
        event = payload
    }

    /// The guide's table has a type and a subtype, which the name joins.
    private static func name(of payload: JSONNode) -> String? {
        guard let type = payload["type"].string, let subtype = payload["subtype"].string else {
            return payload["name"].string
        }
        return "\(type).\(subtype)"
    }

    /// An event by the keys beside its name.
    package static func isEvent(_ payload: JSONNode) -> Bool { besideName.contains { payload[$0].exists } }

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
    private func text(_ key: String) -> String? { event[key].identifier ?? event["payload"][key].identifier }

    private func ownIdentifier(of kind: String) -> String? {
        name.hasPrefix(kind + ".") ? event["payload"]["id"].identifier : nil
    }
}
