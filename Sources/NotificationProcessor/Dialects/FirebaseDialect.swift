import Base
import NotificationModel

/// The dialect of a push of Firebase Cloud Messaging as it arrives at a phone, with `fcm_options` beside `aps`.
///
/// The keys that begin with `gcm.` are those of the vendor's iOS SDK (`FIRMessagingConstants.m`).
struct FirebaseDialect: APSDialect {
    let id: DialectID = "firebase"
    var marks: [[String]] { [["fcm_options"]] }

    /// The largest image of each platform, in bytes. Firebase, "Send an image in the notification payload" for iOS:
    /// "Images for notifications are limited to 300KB".
    static let imageBytes: [PushPlatform: Int] = [.apns: 300_000]

    func detect(_ payload: PayloadLayout) -> String? {
        if payload["fcm_options"]?.object != nil { return "fcm_options" }
        return [Self.image, Self.imageOfAndroid].first { payload[$0]?.string != nil }
    }

    /// The key of the image in a message that FCM sent with `notification.image`.
    private static let image = "gcm.notification.image"
    private static let imageOfAndroid = "gcm.n.image"

    func read(_ payload: JSONNode, into reading: inout PushPayload) {
        reading.providerID = payload["gcm.message_id"].identifier
        let places = [payload["fcm_options"]["image"], payload[Self.image], payload[Self.imageOfAndroid]]
        reading.media = [places.lazy.compactMap { MediaReference($0) }.first].compactMap(\.self)
        // Messages for Android have their texts beside the image.
        for prefix in ["gcm.notification.", "gcm.n."] where reading.successText.isBlank {
            reading.say(title: payload[prefix + "title"], body: payload[prefix + "body"])
        }
        if !reading.media.isEmpty { reading.imageBytes = Self.imageBytes }
        reading.link(to: payload["gcm.app_link"])
    }
}
