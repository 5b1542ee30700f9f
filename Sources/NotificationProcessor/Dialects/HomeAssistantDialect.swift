package import JSON
import MediaTypes
package import NotificationModel

/// The dialect of Home Assistant. A push has a dictionary `attachment`, with a URL that may be relative to the home's
/// own server. Other payloads are the call of a `notify` service, and the request to the vendor's relay, which contains
/// such a call. The data of a push for Android is read, too.
///
/// The names of types and of an action's keys are those of the vendor's iOS app (`NotificationAttachmentInfo`,
/// `MobileAppConfigPushCategory`). `url` and the keys of a call are those of the companion documentation
/// ("Attachments", "Basic"). The request and the data for Android are those of mobile-apps-fcm-push (`legacy.js`,
/// `android.js`).
package struct HomeAssistantDialect: Dialect {
    package let id: DialectID = "homeassistant"
    package var marks: [[String]] { [["attachment"], ["message", "data"]] }

    /// The vendor's names of types that are not file extensions, with the extensions.
    private static let typeNames = [
        "mpeg2": "mpg", "mpeg4": "mp4", "mpeg4audio": "m4a", "waveformaudio": "wav",
    ]

    package init() {}

    package func detect(_ payload: PayloadLayout) -> String? {
        let root = payload.root
        if Self.isAttachment(root["attachment"]), payload["event"] == nil { return "attachment{}" }
        if let rule = HomeAssistantCall.rule(of: root) { return rule }
        if let place = payload.find(HomeAssistantCall.androidMark) { return place.rule }
        return Self.apple(payload.message) == nil ? nil : "message.apns.payload.attachment{}"
    }

    /// Returns whether the value is this vendor's attachment. Notificare's attachment has a `uri`.
    private static func isAttachment(_ node: JSONNode) -> Bool {
        node.object != nil && (node["url"].exists || !node.guess("uri").exists)
    }

    /// Returns Apple's payload in a message to FCM, as the relay sends it.
    private static func apple(_ message: JSONNode?) -> JSONNode? {
        guard let push = message?["apns"]["payload"], isAttachment(push["attachment"]) else {
            return nil
        }
        return push
    }

    package func read(_ payload: JSONNode) -> PushPayload {
        if payload["attachment"].object == nil {
            if HomeAssistantCall.rule(of: payload) != nil { return HomeAssistantCall.reading(payload) }
            if let data = AndroidData.find(in: payload, HomeAssistantCall.androidMark)?.data {
                return HomeAssistantCall.reading(android: data, in: payload)
            }
        }
        let apple = payload["attachment"].object == nil ? Self.apple(FCMDialect.message(of: payload)) : nil
        let push = apple ?? payload
        var reading = PushPayload(around: push, in: payload)
        reading.media += [Self.item(push["attachment"], platform: apple == nil ? nil : .apns)].compactMap(\.self)
        reading.actions = push["actions"].elements.compactMap(Self.action)
        reading.link(to: push["url"])
        return reading
    }

    static func item(_ attachment: JSONNode, platform: PushPlatform? = nil) -> MediaReference? {
        var options = AttachmentOptions()
        options.thumbnailHidden = attachment["hide-thumbnail"].isSet
        var item = MediaReference(
            attachment["url"], platform: platform, declaredType: attachment["content-type"].text.map(type),
            options: options)
        item?.isDeferred = attachment["lazy"].isSet
        item?.claims = [claim(attachment["content-type"])].compactMap(\.self)
        return item
    }

    /// Returns the claim of the type. The vendor's name for MP4 is not one of MP4's extensions.
    private static func claim(_ node: JSONNode) -> MediaClaim? {
        guard let name = node.text else { return nil }
        if name.contains("/") { return MediaClaim.type(node) }
        let words = MediaFormat.words { type in
            if name.contains(".") { return type.uniformTypeIdentifier }
            return switch type {
            case .jpeg: "jpeg"
            case .mp4: "mpeg4"
            case .m4a: "mpeg4audio"
            case .wav: "waveformaudio"
            case .aiff: "aiff"
            default: type.fileExtension
            }
        }
        return MediaClaim(.type(words), at: node)
    }

    /// Returns the declared type for a type name of Home Assistant, a MIME type, or an Apple type identifier.
    private static func type(_ name: String) -> DeclaredMediaType {
        if name.contains("/") { return .mimeType(name) }
        if name.contains(".") { return .mediaClass(name) }
        let name = name.lowercased()
        return .fileExtension(typeNames[name] ?? name)
    }

    /// Returns the action. The Android app has the identifier in `action`.
    static func action(_ action: JSONNode) -> NotificationAction? {
        guard let identifier = action["identifier"].identifier ?? action["action"].identifier,
            let title = action["title"].text
        else { return nil }
        return NotificationAction(identifier: identifier, title: title)
    }
}
