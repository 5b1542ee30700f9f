package import JSON
package import NotificationModel

/// Web push: a declarative message (`web_push: 8030`), or bare notification options that a service worker shows.
///
/// The declarative members are those of the W3C's Push API, "Declarative push message".
package struct WebPushDialect: Dialect {
    package let id: DialectID = "webpush"

    /// The number of RFC 8030, which tells declarative messages from other JSON.
    private static let declarative = 8030

    package init() {}

    package func detect(_ payload: JSONObject) -> String? {
        if payload["notification"]?.object != nil, payload["web_push"]?.integer == Self.declarative {
            return "web_push"
        }
        guard payload["aps"] == nil, payload["title"]?.string != nil else { return nil }
        return ["image", "icon", "badge", "actions"].first { payload[$0] != nil }.map { "title+\($0)" }
    }

    package func read(_ payload: JSONNode) -> PushPayload {
        var reading = PushPayload(aps: APSReader(payload))
        let isDeclarative = payload["web_push"].integer == Self.declarative && payload["notification"].object != nil
        let notification = isDeclarative ? payload["notification"] : payload
        let reader = WebNotificationReader(notification)
        reading.successText = reader.text.over(reading.successText)
        reading.textPlaces.append(reader.textPlace)
        reading.media = reader.media()
        reading.actions = reader.actions
        // WebKit reads it in the notification; proposed for the Push API is a place beside it (w3c/push-api, pull 402).
        let badges = [notification["app_badge"], payload["app_badge"]].lazy.compactMap(\.looseInteger)
        if let badge = badges.first(where: { $0 >= 0 }) { reading.aps.badge = badge }
        // Without `silent` the platform decides about a sound.
        if notification["silent"].bool == false { reading.aps.sound = NotificationSound(name: "default") }
        reading.details = Self.details(of: notification)
        return reading
    }

    /// `tag` is no thread: a later notification with the same tag takes the place of the earlier one (WHATWG,
    /// Notifications API Standard, "show steps"), so that two of a tag are never shown together.
    private static func details(of notification: JSONNode) -> JSONObject {
        var details = JSONObject()
        if let link = notification["navigate"].text ?? notification["data"]["url"].text {
            details.append("link", .string(link))
        }
        for key in ["tag", "lang", "dir"] {
            if let text = notification[key].text { details.append(key, .string(text)) }
        }
        if let silent = notification["silent"].bool { details.append("silent", .bool(silent)) }
        return details
    }
}
