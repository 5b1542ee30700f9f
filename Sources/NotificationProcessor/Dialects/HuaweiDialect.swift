import Base
import NotificationModel

/// The dialect of Huawei Push Kit. The payload is the request to send a message. This request resembles a message to
/// FCM, but has a list of tokens.
///
/// Members are those of the vendor's references ("Sending messages", HMS Core Push Kit server, and "Notification
/// image") and of hms-push-serverdemo-java (`Button.java`). `image` is the small image at the right of a notification.
struct HuaweiDialect: Dialect {
    let id: DialectID = "huawei"
    var marks: [[String]] { [["message"]] }

    func detect(_ payload: PayloadLayout) -> String? {
        guard let message = payload.message else { return nil }
        if message["token"].array != nil { return "message.token[]" }
        let action = message["android"]["notification"]["click_action"]
        return action.object == nil ? nil : "message.android.notification.click_action{}"
    }

    func read(_ payload: JSONNode) -> PushPayload {
        let message = payload["message"]
        let android = message["android"]["notification"]
        var reading = PushPayload(fcm: message)
        reading.isFCMMessage = false
        reading.imageBytes = [:]
        let image = android["image"].text == nil ? message["notification"]["image"] : android["image"]
        reading.media =
            [MediaReference(image, role: .icon, platform: .any)].compactMap(\.self)
            + WebNotificationReader(message["webpush"]["notification"]).media(on: .webpush)
        if reading.aps.badge == nil { reading.aps.badge = android["badge"]["set_num"].integer }
        // The app identifies a button by its text.
        reading.actions += android["buttons"].actions(identifier: "name", title: "name")
        reading.link(to: android["click_action"]["url"], android["click_action"]["intent"])
        return reading
    }
}
