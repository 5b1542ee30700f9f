import Base
import NotificationModel

/// The dialect of Notifee, the React Native library. Its options are beside `aps` (`notifee_options`). In a message to
/// FCM its notification is in the data, and the app displays it itself.
///
/// Members are those of the library's `Notification`, `NotificationIOS` and `AndroidBigPictureStyle`
/// (invertase/notifee, `packages/react-native/src/types`). The extension reads `image` beside them
/// (`NotifeeCoreExtensionHelper`).
struct NotifeeDialect: MarkedDialect {
    let id: DialectID = "notifee"
    var marks: [[String]] { [["notifee_options"], ["notifee"]] }

    private static let keys = ["notifee_options", "notifee"]

    /// The paths of media that the provider's own keys do not name.
    var mediaKeys = MediaKeys.common

    static func mark(of data: JSONNode) -> String? { keys.first { data[$0].unpacked.object != nil } }

    func read(_ data: JSONNode, into reading: inout PushPayload) {
        let key = Self.mark(of: data) ?? Self.keys[0]
        let notification = data[key].unpacked
        reading.say(NotificationText(notification), at: .lines(of: notification, subtitle: "subtitle"))
        // The app shows the notification, even if Apple's system shows nothing of the push.
        if !reading.lacksText { reading.isSilent = false }
        reading.providerID = notification["id"].identifier
        reading.put(Self.media(of: notification), beside: data, mediaKeys)
        let (apple, android) = (notification["ios"], notification["android"])
        reading.aps.category = apple["categoryId"].text ?? reading.aps.category
        reading.aps.threadIdentifier = apple["threadId"].text ?? reading.aps.threadIdentifier
        reading.aps.badge = apple["badgeCount"].looseInteger ?? android["badgeCount"].looseInteger ?? reading.aps.badge
        reading.aps.sound =
            (apple["sound"].text ?? android["sound"].text).map { NotificationSound(name: $0) } ?? reading.aps.sound
        reading.actions = android["actions"].elements.compactMap {
            NotificationAction(
                identifier: $0["pressAction"]["id"].text ?? $0["title"].text ?? "", title: $0["title"].text ?? "")
        }.filter { !$0.title.isEmpty }
        if let own = notification["data"].object { reading.details.append("data", .object(own)) }
    }

    /// Returns the media. Android's images may be names of resources in the app, which are left out.
    private static func media(of notification: JSONNode) -> [MediaReference] {
        let attachments = notification["ios"]["attachments"].elements.compactMap { attachment in
            MediaReference(
                attachment["url"], identifier: attachment["id"].identifier, platform: .apns,
                declaredType: attachment["typeHint"].text.map { .mediaClass($0) }, options: options(of: attachment))
        }
        let android = notification["android"]
        let style = android["style"]
        return attachments
            + [
                MediaReference(webURL: notification["image"], platform: .any),
                MediaReference(webURL: style["picture"], platform: attachments.isEmpty ? .any : .android),
                MediaReference(webURL: android["largeIcon"], role: .icon, platform: .android),
            ].compactMap(\.self)
    }

    private static func options(of attachment: JSONNode) -> AttachmentOptions {
        var options = AttachmentOptions()
        options.thumbnailHidden = attachment["thumbnailHidden"].isSet
        options.thumbnailTime = attachment["thumbnailTime"].double
        options.thumbnailClippingRect = .init(attachment["thumbnailClippingRect"])
        return options
    }
}
