package import JSON
package import NotificationModel

/// Firebase Cloud Messaging as it arrives at a phone: `fcm_options` beside `aps`.
///
/// The keys that begin with `gcm.` are those of the vendor's iOS SDK (`FIRMessagingConstants.m`).
package struct FirebaseDialect: Dialect {
    package let id: DialectID = "firebase"

    /// Firebase, "Send an image in the notification payload" for iOS: "Images for notifications are limited to 300KB".
    static let pictureBytes: [PushPlatform: Int] = [.apns: 300_000]

    package init() {}

    package func detect(_ payload: JSONObject) -> String? {
        payload["fcm_options"]?.object == nil ? nil : "fcm_options"
    }

    package func read(_ payload: JSONNode) -> PushPayload {
        var reading = PushPayload(aps: APSReader(payload))
        reading.providerID = payload["gcm.message_id"].identifier
        reading.media = [MediaReference(payload["fcm_options"]["image"])].compactMap(\.self)
        if !reading.media.isEmpty { reading.pictureBytes = Self.pictureBytes }
        if let link = payload["gcm.app_link"].text { reading.details.append("link", .string(link)) }
        return reading
    }
}
