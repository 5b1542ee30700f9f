import Base
import NotificationModel

/// The dialect of awesome_notifications, the Flutter plugin. The notification is in `content` of the data, as an object
/// or as a string of JSON.
///
/// Members are those of the plugin's `NotificationContent` and `NotificationActionButton` (pub.dev,
/// awesome_notifications). The plugin displays the notification itself, even if Apple's system shows nothing of the
/// push.
struct AwesomeNotificationsDialect: MarkedDialect {
    let id: DialectID = "awesome-notifications"
    var marks: [[String]] { [["content"]] }

    /// The paths of media that the provider's own keys do not name.
    var mediaKeys = MediaKeys.common

    static func mark(of data: JSONNode) -> String? {
        data["content"].unpacked.guess("channelKey").text == nil ? nil : "content.channelKey"
    }

    func read(_ data: JSONNode, into reading: inout PushPayload) {
        let content = data["content"].unpacked
        reading.say(in: content)
        if !reading.lacksText { reading.isSilent = false }
        reading.providerID = content["id"].identifier
        let images = [
            MediaReference(webURL: content["bigPicture"]), MediaReference(webURL: content["largeIcon"], role: .icon),
        ]
        reading.put(images.compactMap(\.self), beside: data, mediaKeys)
        reading.aps.threadIdentifier = content["groupKey"].text ?? reading.aps.threadIdentifier
        reading.aps.badge = content["badge"].looseInteger ?? reading.aps.badge
        reading.actions = data["actionButtons"].unpacked.actions(identifier: "key", title: "label")
        reading.details.append("channelId", text: content["channelKey"].text)
        if let own = content["payload"].object { reading.details.append("data", .object(own)) }
    }
}
