import Base
import NotificationModel

/// The dialect of Pushover. The payload is the request that creates a message, with an image in Base64.
///
/// Members are those of the vendor's "Message API" page.
struct PushoverDialect: Dialect {
    let id: DialectID = "pushover"
    var marks: [[String]] { [["token", "user", "message"]] }

    func detect(_ payload: PayloadLayout) -> String? {
        guard Self.required.allSatisfy({ payload.root[$0].text != nil }) else { return nil }
        // Payloads of chat and login services also have a token, a user and a message.
        let isOfVendor =
            Self.isKey(payload["token"]) && Self.isKey(payload["user"]) && payload["aps"] == nil
            || payload.object.keys.allSatisfy { Self.required.contains($0) || Self.optional.contains($0) }
        return isOfVendor ? "token+user+message" : nil
    }

    private static let required = ["token", "user", "message"]
    private static let optional: Set<String> = [
        "attachment", "attachment_base64", "attachment_type", "callback", "device", "encrypted", "expire", "html",
        "monospace", "priority", "retry", "sound", "tags", "timestamp", "title", "ttl", "url", "url_title",
    ]

    /// Returns whether a value is a token of an application or a key of a user: 30 letters and digits ("Pushover
    /// Message API").
    private static func isKey(_ value: JSONValue?) -> Bool {
        guard let text = value?.string?.utf8, text.count == 30 else { return false }
        return text.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit }
    }

    func read(_ payload: JSONNode) -> PushPayload {
        var reading = PushPayload()
        reading.say(in: payload, body: "message")
        reading.alert = reading.successText
        reading.aps.hasVisibleAlert = !reading.alert.isBlank
        reading.aps.sound = payload["sound"].text.map { NotificationSound(name: $0) }
        // -2 shows nothing, -1 makes no sound, 1 and 2 "bypass the user's quiet hours".
        let priority = payload["priority"].looseInteger ?? 0
        reading.aps.interruptionLevel = priority < 0 ? .passive : priority > 0 ? .timeSensitive : .active
        reading.media = [Self.image(of: payload)].compactMap(\.self)
        reading.link(to: payload["url"])
        return reading
    }

    private static func image(of payload: JSONNode) -> MediaReference? {
        let node = payload["attachment_base64"]
        guard let data = node.text else { return nil }
        let type = payload["attachment_type"].text ?? ""
        let url = InlineMedia.isReference(data) ? data : InlineMedia.url(type: type, base64: data)
        return MediaReference(url: url, path: node.path, declaredType: type.isEmpty ? nil : .mimeType(type))
    }
}
