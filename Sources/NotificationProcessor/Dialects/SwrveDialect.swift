package import JSON
package import NotificationModel

/// The dialect of Swrve. `_sw` is an object for Apple's platforms, and a string of JSON in Android's data. The text in
/// `_sw` replaces the alert when the media item is loaded.
///
/// Keys are those of the public SDKs: swrve-ios-sdk (`SwrveNotificationConstants.m`, `SwrveNotificationManager.m`) and
/// swrve-android-sdk (`SwrveNotificationConstants.java`, `SwrveNotification.java`, `SwrveNotificationMedia.java`).
package struct SwrveDialect: MarkedDialect {
    package let id: DialectID = "swrve"
    package var marks: [[String]] { [["_sw"]] }

    package init() {}

    package static func mark(of data: JSONNode) -> String? {
        if data["_sw"].unpacked.object != nil { return "_sw" }
        let isBare = data["aps"].object == nil && data["_p"].identifier != nil && data["text"].text != nil
        return isBare ? "_p+text" : nil
    }

    package func read(_ data: JSONNode, into reading: inout PushPayload) {
        let message = data["_sw"].unpacked
        let media = message["media"]
        if data["aps"].object == nil {
            let text = NotificationText(
                title: message["title"].text, subtitle: message["subtitle"].text, body: data["text"].text)
            reading.say(
                text,
                at: .lines(
                    title: message["title"].path, subtitle: message["subtitle"].path, body: data["text"].path))
        }
        // The second file has the role of a thumbnail, because it is requested only after the first file has failed.
        let files = [MediaReference(media["url"]), MediaReference(media["fallback_url"], role: .thumbnail)]
        let text = NotificationText(media)
        if files[0] != nil, !text.isEmpty {
            reading.fallbackText = reading.successText
            reading.successText = text.over(reading.successText)
        }
        let icons = [message["icon_url"], message["expanded"]["icon_url"]].map { MediaReference($0, role: .icon) }
        reading.media = (files + icons).compactMap(\.self)
        reading.providerID = data["_p"].identifier
        // The app identifies a button by its index.
        reading.actions = message["buttons"].elements.enumerated().compactMap { index, button in
            button["title"].text.map { NotificationAction(identifier: String(index), title: $0) }
        }
        reading.link(to: data["_sd"], data["_d"])
    }
}
