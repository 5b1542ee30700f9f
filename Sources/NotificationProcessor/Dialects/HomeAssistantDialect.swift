import Base
import NotificationModel

/// The dialect of Home Assistant. A push has a dictionary `attachment`, with a URL that may be relative to the home's
/// own server. Other payloads are the call of a `notify` service, and the request to the vendor's relay, which contains
/// such a call. The data of a push for Android is read, too.
///
/// The names of types and of an action's keys are those of the vendor's iOS app (`NotificationAttachmentInfo`,
/// `MobileAppConfigPushCategory`). `url` and the keys of a call are those of the companion documentation
/// ("Attachments", "Basic"). The request and the data for Android are those of mobile-apps-fcm-push (`legacy.js`,
/// `android.js`).
struct HomeAssistantDialect: Dialect {
    let id: DialectID = "homeassistant"
    var marks: [[String]] { [["attachment"], ["message", "data"]] }

    /// The vendor's names of types that are not file extensions, with the extensions.
    private static let typeNames = ["mpeg2": "mpg", "mpeg4": "mp4", "mpeg4audio": "m4a", "waveformaudio": "wav"]

    func detect(_ payload: PayloadLayout) -> String? {
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

    func read(_ payload: JSONNode) -> PushPayload {
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
            options: options, claims: [claim(attachment["content-type"])])
        item?.isDeferred = attachment["lazy"].isSet
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

/// The call of a `notify` service of Home Assistant. The call has a message, and `data` with each platform's own
/// values. The request to the vendor's relay also has a `registration_info`. On Android the members of `data` are at
/// the top.
enum HomeAssistantCall {
    /// Keys of `data` that distinguish a call from another sender's `message` beside `data`.
    private static let marks = [
        "image", "video", "audio", "attachment", "entity_id", "tag", "group", "url", "clickAction", "actions", "push",
        "ttl", "channel", "icon_url", "subtitle", "notification_icon",
    ]
    private static let androidMarks = ["webhook_id", "clickAction", "icon_url", "action_1_key"]

    /// Messages that are commands to the app, and are not shown.
    private static let commands: Set<String> = [
        "request_location_update", "clear_badge", "clear_notification", "update_complications", "update_widgets",
        "delete_alert", "remove_channel",
    ]

    static func rule(of payload: JSONNode) -> String? {
        guard payload["message"].string != nil, payload["aps"].object == nil else { return nil }
        if payload["registration_info"].object != nil { return "registration_info" }
        // A payload with one of these keys is from another sender, even if it has `message` and `data`.
        let others = ["topic", "to", "image", "icon", "badge", "actions", "notification"]
        guard !others.contains(where: payload.has) else { return nil }
        return marks.first { payload["data"][$0].exists }.map { "message+data.\($0)" }
    }

    static func androidMark(of data: JSONNode) -> String? {
        guard data["message"].string != nil, data["aps"].object == nil else { return nil }
        return androidMarks.first(where: data.has).map { "message+\($0)" }
    }

    static func reading(_ payload: JSONNode) -> PushPayload {
        let data = payload["data"]
        var reading = PushPayload()
        let text = NotificationText(title: payload["title"].text, body: payload["message"].text)
        reading.say(
            text, [.apns: NotificationText(subtitle: data["subtitle"].text)],
            at: [
                .lines(of: payload, body: "message"),
                .lines(title: nil, subtitle: data["subtitle"].path, body: nil),
            ])
        reading.isSilent = isCommand(payload["message"])
        reading.aps.hasVisibleAlert = !reading.isSilent && !text.isBlank
        reading.media = media(data)
        reading.actions = data["actions"].elements.compactMap(HomeAssistantDialect.action)
        reading.link(to: data["url"], data["clickAction"])
        return reading
    }

    static func reading(android data: JSONNode, in payload: JSONNode) -> PushPayload {
        var reading = PushPayload(around: data, in: payload)
        reading.say(in: data, body: "message")
        reading.isSilent = isCommand(data["message"])
        reading.media += [
            MediaReference(data["image"]), MediaReference(data["video"]),
            MediaReference(data["icon_url"], role: .icon),
        ].compactMap(\.self)
        reading.actions = (1...3).compactMap {
            NotificationAction(data, identifier: "action_\($0)_key", title: "action_\($0)_title")
        }
        reading.link(to: data["clickAction"])
        return reading
    }

    /// Returns the media. Apple's platforms show the first one of these that the call has: attachment, video, image,
    /// sound. Android shows the image and the video.
    private static func media(_ data: JSONNode) -> [MediaReference] {
        let attachment = HomeAssistantDialect.item(data["attachment"], platform: .apns)
        let apples = attachment == nil ? ["video", "image", "audio"].first { data[$0].text != nil } : nil
        let others = ["video", "image", "audio"].compactMap { key -> MediaReference? in
            if key == "audio" { return apples == key ? MediaReference(data[key], platform: .apns) : nil }
            return MediaReference(data[key], platform: apples == key ? .any : .android)
        }
        let icon = MediaReference(data["icon_url"], role: .icon, platform: .android)
        return [attachment].compactMap(\.self) + others + [icon].compactMap(\.self)
    }

    private static func isCommand(_ message: JSONNode) -> Bool {
        message.string.map { commands.contains($0) || $0.hasPrefix("command_") } ?? false
    }
}
