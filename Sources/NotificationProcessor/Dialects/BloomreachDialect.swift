import Base
import NotificationModel

/// The dialect of Bloomreach Engagement, formerly Exponea. `source` is `xnpe_platform`. Texts and the image are at the
/// top. The SDK for Apple's platforms replaces the alert with these texts.
///
/// Keys are those of the public SDKs: exponea-ios-sdk (`ExponeaNotificationService.swift`,
/// `PushNotificationsTestData.swift`) and exponea-android-sdk (`NotificationPayload.kt`). In the data of the Android
/// SDK a list and an object are strings of JSON.
struct BloomreachDialect: MarkedDialect {
    let id: DialectID = "bloomreach"
    var marks: [[String]] { [["source"]] }

    private static let source = "xnpe_platform"

    static func mark(of data: JSONNode) -> String? {
        data["source"].string == source ? "source=\(source)" : nil
    }

    func read(_ data: JSONNode, into reading: inout PushPayload) {
        reading.say(in: data, body: "message")
        if let badge = data["badge"].looseInteger { reading.aps.badge = badge }
        if let sound = data["sound"].text { reading.aps.sound = NotificationSound(name: sound) }
        let silent = data["silent"]
        if silent.isSet || silent.string == "true" || silent.looseInteger == 1 { reading.isSilent = true }
        reading.media += [MediaReference(data["image"])].compactMap(\.self)
        reading.providerID = data["attributes"].unpacked["campaign_id"].identifier
        // The app identifies a button by its index.
        reading.actions = data["actions"].unpacked.elements.enumerated().compactMap { index, button in
            button["title"].text.map {
                NotificationAction(identifier: String(index), title: $0, link: button["url"].text)
            }
        }
        reading.link(to: data["url"])
    }
}
