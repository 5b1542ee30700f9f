import Base
import NotificationModel

/// The dialect of Swrve. `_sw` is an object for Apple's platforms, and a string of JSON in Android's data. The text in
/// `_sw` replaces the alert when the media item is loaded.
///
/// Keys are those of the public SDKs: swrve-ios-sdk (`SwrveNotificationConstants.m`, `SwrveNotificationManager.m`) and
/// swrve-android-sdk (`SwrveNotificationConstants.java`, `SwrveNotification.java`, `SwrveNotificationMedia.java`).
struct SwrveDialect: MarkedDialect {
    let id: DialectID = "swrve"
    var marks: [[String]] { [["_sw"]] }

    static func mark(of data: JSONNode) -> String? {
        if data["_sw"].unpacked.object != nil { return "_sw" }
        let isBare = data["aps"].object == nil && data["_p"].identifier != nil && data["text"].text != nil
        return isBare ? "_p+text" : nil
    }

    func read(_ data: JSONNode, into reading: inout PushPayload) {
        let message = data["_sw"].unpacked
        let media = message["media"]
        if data["aps"].object == nil {
            reading.say(title: message["title"], subtitle: message["subtitle"], body: data["text"])
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
            let link = button["action_type"].string == "open_url" ? button["action"].text : nil
            return button["title"].text.map { NotificationAction(identifier: String(index), title: $0, link: link) }
        }
        reading.link(to: data["_sd"], data["_d"])
    }
}
