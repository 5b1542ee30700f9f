import Base
import FoundationEssentials
import MediaHeaders
import NotificationModel

/// An event of Comapi, which reports a change of a message, a conversation or a profile.
///
/// Names and properties are those of "Available events" in the vendor's iOS guide. Their paths in the JSON are those of
/// the events in the SDK's tests (`Tests/JSON/Events`), and of "App Messaging events" in the vendor's API reference.
struct ComapiEvent {
    /// The name of the event that announces a new message.
    static let messageSent = "conversationMessage.sent"
    static let names = [
        messageSent, "conversationMessage.delivered", "conversationMessage.read", "conversation.create",
        "conversation.update", "conversation.delete", "conversation.undelete", "conversation.participantAdded",
        "conversation.participantUpdated", "conversation.participantRemoved", "conversation.participantTyping",
        "conversation.participantTypingOff", "profile.update",
    ]
    /// Keys that an event has in addition to its name. Other senders have a `name` too, but none of these keys.
    private static let besideName = ownKeys + ["context", "payload", "id"]
    /// Keys that only the vendor uses. With one of these keys, an event is recognised even if its name is misspelt.
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
            name == Self.guideName(of: written)
            ? nil
            : PayloadProblem(
                "comapi-event-name", payload["name"].exists ? payload["name"] : payload["subtype"],
                "\(VisibleText.quoted(written)) is not an event; it is read as \(name)", fix: "Write \(name)")
    }

    /// Returns a name as the guide writes it. The vendor's SDKs also name the events of conversations by `chat`.
    private static func guideName(of written: String) -> String {
        written.lowercased().hasPrefix("chat") ? "conversation" + written.dropFirst("chat".count) : written
    }

    private static func known(_ written: String) -> String? {
        let name = guideName(of: written).lowercased()
        return names.first { $0.lowercased() == name }
    }

    private static func nearest(to written: String) -> String? {
        let written = guideName(of: written)
        return names.filter { NearestWord.isSlip(written, of: $0) }
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

    /// The profile that caused the event. For a new message, this profile is its sender.
    var profile: String? { text("profileId") ?? ownIdentifier(of: "profile") }

    /// The receipt that the event reports: a message that a profile has read, or a conversation that was deleted.
    var receipt: ReportedReceipt? {
        switch name {
        case "conversationMessage.read":
            let reader = (profile ?? event["context"]["createdBy"].text).map { String($0.trimmingPrefix("session:")) }
            guard let messageID, let reader else { return nil }
            return ReportedReceipt(.read, of: .providerID(messageID), by: [reader])
        case "conversation.delete": return conversation.map { ReportedReceipt(.deleted, of: .thread($0)) }
        default: return nil
        }
    }

    private var messageID: String? { text("messageId") ?? ownIdentifier(of: "conversationMessage") }

    var details: JSONObject {
        var details: JSONObject = ["event": .string(name)]
        let identifiers: [(String, String?)] = [
            ("eventId", event["eventId"].identifier ?? event["id"].identifier),
            ("conversationId", conversation),
            ("messageId", messageID),
            ("profileId", profile),
            ("role", text("role")), ("timestamp", text("timestamp")), ("createdBy", event["context"]["createdBy"].text),
        ]
        for (key, value) in identifiers { details.append(key, text: value) }
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

/// A part of a chat message that has no URL. Its file is in `data`, as Base64 or as a `data:` URL.
///
/// A part whose type is image, video, sound or any bytes is a file. Its `data` is not examined. Parts of other types,
/// and parts without a type, are the app's own values. Such parts are files only if their bytes are those of an image,
/// a video or a sound.
struct ComapiInlinePart {
    /// The number of Base64 characters that suffice to see the type: four for three bytes, with room for line breaks.
    private static let wantedCharacters = MediaSignature.wantedBytes * 2

    let part: JSONNode
    let type: DeclaredMediaType?

    /// A `data:` URL for the file, without bytes if the part has none. `nil` if the part is no file.
    var url: String? {
        guard part.object != nil, isFileByType || isFileByBytes else { return nil }
        guard let data = part["data"].text else { return InlineMedia.url(type: part["type"].text ?? "", base64: "") }
        return InlineMedia.isReference(data) ? data : InlineMedia.url(type: part["type"].text ?? "", base64: data)
    }

    private var isFileByType: Bool {
        if type?.kind != nil { return true }
        guard case .mimeType(let name) = type else { return false }
        return MediaFormat.bareMIMEType(name) == "application/octet-stream"
    }

    private var isFileByBytes: Bool {
        guard let data = part["data"].text else { return false }
        if InlineMedia.isReference(data) { return true }
        var characters = data.utf8.lazy.filter { !"\t\n\u{C}\r ".utf8.contains($0) }.prefix(Self.wantedCharacters)
            .map(\.self)
        characters.removeLast(characters.count % 4)
        guard let bytes = Data(base64Encoded: Data(characters)) else { return false }
        return MediaSignature.of(Array(bytes).span)?.sampledKind != nil
    }
}
