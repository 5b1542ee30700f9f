package import NotificationModel

/// Comapi (Dotdigital's Engagement Cloud): a chat message made of parts, bare or inside the event that tells of it.
///
/// A message is `metadata`, `parts` and `alert.platforms`; an event has the message in its `payload` and, like the
/// message, says `messageId` and `conversationId` (the vendor's iOS SDK: its documentation, "Available events", and
/// the events of its tests, where the conversation is in `context`).
package struct ComapiDialect: Dialect {
    package let id: DialectID = "comapi"

    package init() {}

    package func detect(_ payload: JSONObject) -> String? {
        if Self.hasParts(.object(payload)) { return "parts[]" }
        return Self.hasParts(payload["payload"]) ? "payload.parts[]" : nil
    }

    private static func hasParts(_ message: JSONValue?) -> Bool {
        message["parts"]?.array?.contains { $0.object != nil } ?? false
    }

    package func read(_ payload: JSONNode) -> PushPayload {
        let isEvent = !Self.hasParts(payload.value) && Self.hasParts(payload["payload"].value)
        let message = isEvent ? payload["payload"] : payload
        let parts = message["parts"].elements
        var reading = Self.push(payload, alert: message["alert"]["platforms"])
        if reading.successText.isEmpty { reading.successText.body = Self.text(of: parts) }
        reading.media = parts.compactMap(Self.reference)
        reading.providerID =
            message["messageId"].identifier ?? payload["messageId"].identifier ?? message["id"].identifier
        let conversation =
            message["conversationId"].text ?? message["context"]["conversationId"].text
            ?? payload["conversationId"].text
        if reading.aps.threadIdentifier == nil { reading.aps.threadIdentifier = conversation }
        reading.details = Self.details(of: message, conversation: conversation, link: Self.link(of: payload))
        return reading
    }

    /// What `aps` says, or else the alert for APNs; the text of the alert for FCM where neither has one.
    private static func push(_ payload: JSONNode, alert platforms: JSONNode) -> PushPayload {
        let apns = platforms["apns"]
        var push: PushPayload
        if payload["aps"].object != nil {
            push = PushPayload(aps: APSReader(payload))
        } else if apns["aps"].object != nil {
            push = PushPayload(aps: APSReader(apns))
        } else {
            // The alert is what `aps` holds, without the key.
            push = PushPayload(aps: APSReader(aps: apns))
        }
        if push.successText.isEmpty {
            let notification = platforms["fcm"]["notification"]
            push.successText = NotificationText(
                title: notification["title"].string, body: notification["body"].string)
        }
        return push
    }

    private static func text(of parts: [JSONNode]) -> String? {
        parts.lazy.compactMap { isText($0) ? $0["data"].string : nil }.first
    }

    /// The vendor's own examples have `plain/text`.
    private static func isText(_ part: JSONNode) -> Bool {
        let type = part["type"].string?.split(separator: ";").first.map { $0.lowercased() }
        return type == "text/plain" || type == "plain/text"
    }

    /// A long text is kept at a URL too, and what a data URI holds is there already.
    private static func reference(_ part: JSONNode) -> MediaReference? {
        guard let url = part["url"].text, !url.lowercased().hasPrefix("data:"), !isText(part) else { return nil }
        return MediaReference(
            part["url"], identifier: part["name"].identifier,
            declaredType: part["type"].text.map { $0.contains("/") ? .mimeType($0) : .mediaClass($0) })
    }

    /// `dd_deepLink` is what the vendor's SDK opens now, the action `notificationClicked` what it opened before
    /// (`CMPComapiClient.m`).
    private static func link(of payload: JSONNode) -> String? {
        let click = payload["actions"].elements.first { $0["action"].string == "notificationClicked" }
        return payload["dd_deepLink"]["url"].text ?? click?["link"].text
    }

    private static func details(of message: JSONNode, conversation: String?, link: String?) -> JSONObject {
        var details = JSONObject()
        if let link { details.append("link", .string(link)) }
        if let conversation { details.append("conversationId", .string(conversation)) }
        if let sender = message["context"]["sentBy"].text { details.append("sender", .string(sender)) }
        if let metadata = message["metadata"].object { details.append("metadata", .object(metadata)) }
        return details
    }
}
