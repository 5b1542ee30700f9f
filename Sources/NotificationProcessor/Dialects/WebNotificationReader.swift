import JSON
import NotificationModel

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
        let images: [(key: String, role: MediaRole)] = [
            ("image", .attachment), ("icon", .icon), ("badge", .badge),
        ]
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
