import Base
import NotificationModel

/// The dialect of web push. A payload is a declarative message (`web_push: 8030`), or notification options that a
/// service worker shows. The options are bare, or in `notification` as Angular's service worker takes them
/// (angular.dev, "Push notifications"). django-webpush writes `head` instead of `title`.
///
/// The declarative members are those of the W3C's Push API, "Declarative push message".
struct WebPushDialect: APSDialect {
    let id: DialectID = "webpush"
    var marks: [[String]] { [["title", "image"], ["notification", "web_push"]] }

    /// The number of RFC 8030, which distinguishes declarative messages from other JSON.
    private static let declarative = 8030

    func detect(_ payload: PayloadLayout) -> String? {
        if payload["notification"]?.object != nil, payload["web_push"]?.integer == Self.declarative {
            return "web_push"
        }
        guard payload["aps"] == nil else { return nil }
        if payload["head"]?.string != nil, payload["body"]?.string != nil { return "head+body" }
        if let key = Self.option(of: payload.object, ["image", "icon", "badge", "actions"]) { return "title+\(key)" }
        // Service workers that open a link read it from `click_action`, as in messages to FCM (Sendios' service worker).
        if payload["notification"]["title"]?.string != nil, payload["notification"]["click_action"]?.string != nil,
            Self.targets.allSatisfy({ payload[$0] == nil })
        {
            return "notification.title+click_action"
        }
        guard payload["data"] == nil, let nested = payload["notification"]?.object,
            let key = Self.option(of: nested, ["body", "image", "icon", "badge", "actions", "data"]),
            nested["body"] != nil || !Self.platforms.contains(where: { payload[$0]?.object != nil })
        else { return nil }
        return "notification.title+\(key)"
    }

    /// The keys of the receivers of a message to FCM.
    private static let targets = ["to", "registration_ids", "condition", "token", "tokens", "topic"]
    /// The keys whose values change a message for one platform. The body of Ably's messages may be in one of them
    /// (ably.com/docs/push/publish).
    private static let platforms = ["apns", "fcm", "gcm", "web"]

    /// Returns the first of the keys that the notification has; `nil` if it has none of them, or no title. A text in
    /// `msg` is that of uniqush-push, whose messages have a badge beside it (uniqush.org, "Push Notification").
    private static func option(of notification: JSONObject, _ keys: [String]) -> String? {
        guard notification["title"]?.string != nil, notification["body"] != nil || notification["msg"]?.string == nil
        else { return nil }
        return keys.first { notification[$0] != nil }
    }

    func read(_ payload: JSONNode, into reading: inout PushPayload) {
        let isBare = payload["title"].string != nil && payload["web_push"].integer != Self.declarative
        let notification = isBare || payload["notification"].object == nil ? payload : payload["notification"]
        let reader = WebNotificationReader(
            notification, title: notification.guess("head").text == nil ? "title" : "head")
        reading.successText = reader.text.over(reading.successText)
        reading.textPlaces.append(reader.textPlace)
        reading.media = reader.media()
        reading.actions = reader.actions
        // WebKit reads the badge from the notification. A proposal for the Push API has the badge beside the
        // notification (w3c/push-api, pull 402).
        let badges = [notification["app_badge"], payload["app_badge"]].lazy.compactMap(\.looseInteger)
        if let badge = badges.first(where: { $0 >= 0 }) { reading.aps.badge = badge }
        // If `silent` is missing, the platform decides whether there is a sound.
        if notification["silent"].bool == false { reading.aps.sound = NotificationSound(name: "default") }
        reading.details = Self.details(of: notification)
    }

    /// Returns the details. `tag` is not used as the thread, because a later notification with the same tag replaces
    /// the earlier notification (WHATWG, Notifications API Standard, "show steps"). Two notifications of one tag are
    /// never shown together.
    private static func details(of notification: JSONNode) -> JSONObject {
        var details = JSONObject()
        let link =
            notification["navigate"].text ?? notification["data"]["url"].text
            ?? notification.guess("click_action").text
            ?? (notification.guess("head").exists ? notification.guess("url").text : nil)
        details.append("link", text: link)
        for key in ["tag", "lang", "dir"] { details.append(key, text: notification[key].text) }
        if let silent = notification["silent"].bool { details.append("silent", .bool(silent)) }
        return details
    }
}

/// The reader of the web platform's notification options, which web push messages and FCM's `webpush` have.
///
/// Members and types are those of `NotificationOptions` (WHATWG, Notifications API Standard).
struct WebNotificationReader {
    private let notification: JSONNode
    private let titleKey: String

    init(_ notification: JSONNode, title: String = "title") {
        self.notification = notification
        titleKey = title
    }

    var text: NotificationText {
        NotificationText(title: notification[titleKey].string, body: notification["body"].string)
    }

    var textPlace: TextPlace { .lines(of: notification, title: titleKey) }

    /// Returns the media in this order: the image, the icon, the badge and the icons of the actions.
    func media(on platform: PushPlatform? = nil) -> [MediaReference] {
        let images: [(key: String, role: MediaRole)] = [("image", .attachment), ("icon", .icon), ("badge", .badge)]
        return images.compactMap { MediaReference(notification[$0.key], role: $0.role, platform: platform) }
            + notification["actions"].elements.compactMap {
                MediaReference($0["icon"], role: .actionIcon, platform: platform)
            }
    }

    var actions: [NotificationAction] {
        notification["actions"].elements.compactMap { action in
            guard let identifier = action["action"].text, let title = action["title"].text else { return nil }
            return NotificationAction(identifier: identifier, title: title)
        }
    }
}
