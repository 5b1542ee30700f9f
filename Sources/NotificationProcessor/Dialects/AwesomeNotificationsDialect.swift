package import JSON
package import NotificationModel

/// The dialect of awesome_notifications, the Flutter plugin. The notification is in `content` of the data, as an object
/// or as a string of JSON.
///
/// Members are those of the plugin's `NotificationContent` and `NotificationActionButton` (pub.dev,
/// awesome_notifications). The plugin displays the notification itself, even if Apple's system shows nothing of the
/// push.
package struct AwesomeNotificationsDialect: MarkedDialect {
    package let id: DialectID = "awesome-notifications"
    package var marks: [[String]] { [["content"]] }

    private let mediaKeys: MediaKeys

    /// Creates the dialect with the paths of its media.
    ///
    /// - Parameter mediaKeys: The paths of media that the provider's own keys do not name.
    package init(mediaKeys: [KeyPathText] = KeyPathText.commonMediaKeys) { self.mediaKeys = MediaKeys(mediaKeys) }

    package static func mark(of data: JSONNode) -> String? {
        data["content"].unpacked.guess("channelKey").text == nil ? nil : "content.channelKey"
    }

    package func read(_ data: JSONNode, into reading: inout PushPayload) {
        let content = data["content"].unpacked
        reading.say(
            NotificationText(title: content["title"].text, body: content["body"].text), at: .lines(of: content))
        if !reading.lacksText { reading.isSilent = false }
        reading.providerID = content["id"].identifier
        let images = [
            MediaReference(webURL: content["bigPicture"]), MediaReference(webURL: content["largeIcon"], role: .icon),
        ]
        reading.put(images.compactMap(\.self), beside: data, mediaKeys)
        reading.aps.threadIdentifier = content["groupKey"].text ?? reading.aps.threadIdentifier
        reading.aps.badge = content["badge"].looseInteger ?? reading.aps.badge
        reading.actions = data["actionButtons"].unpacked.elements.compactMap {
            NotificationAction($0, identifier: "key", title: "label")
        }
        if let channel = content["channelKey"].text { reading.details.append("channelId", .string(channel)) }
        if let own = content["payload"].object { reading.details.append("data", .object(own)) }
    }
}
