import JSON
import NotificationModel

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
        let text = NotificationText(title: data["title"].text, body: data["message"].text)
        reading.say(text, at: .lines(of: data, body: "message"))
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
