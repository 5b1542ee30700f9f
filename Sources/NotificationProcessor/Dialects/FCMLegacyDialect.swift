import Base
import NotificationModel

/// The dialect of a message to Firebase Cloud Messaging as servers sent it to the legacy HTTP API.
///
/// Members are those of the reference "Firebase Cloud Messaging HTTP protocol", which has no image. The source of
/// `notification.image`, which Android shows, is client libraries (appleboy/go-fcm). For iPhones, senders put an image
/// into `data` under a key that they choose. On the phone this key is beside `aps`.
struct FCMLegacyDialect: Dialect {
    let id: DialectID = "fcm-legacy"
    var marks: [[String]] { [["to", "notification"], ["to", "data"], ["registration_ids", "data"]] }
    /// The paths of media in `data`.
    var mediaKeys = MediaKeys.common

    var isOfAnySender: Bool { true }

    func detect(_ payload: PayloadLayout) -> String? { Self.rule(of: payload.root) }

    /// Returns the rule: the key of the recipients and the key of the content. A condition must be an expression over
    /// topics, and a token must not be a token of Expo.
    static func rule(of payload: JSONNode) -> String? {
        guard payload["aps"].object == nil,
            let content = ["notification", "data"].first(where: { payload[$0].object != nil })
        else { return nil }
        if payload["registration_ids"].array != nil { return "registration_ids+\(content)" }
        if let to = payload["to"].text, !ExpoDialect.isToken(to) { return "to+\(content)" }
        let isCondition = payload["condition"].text?.contains(" in topics") ?? false
        return isCondition ? "condition+\(content)" : nil
    }

    func read(_ payload: JSONNode) -> PushPayload {
        var reading = PushPayload(legacyFCM: payload)
        let data = DataMessage(payload["data"], mediaKeys)
        reading.takeTexts(of: data)
        let image = MediaReference(payload["notification"]["image"], platform: .android)
        reading.media =
            [image].compactMap(\.self) + data.media(platform: payload["notification"].object == nil ? nil : .apns)
        return reading
    }
}

/// The reading of a message to the legacy API, in which other senders' data may be.
extension PushPayload {
    init(legacyFCM message: JSONNode) {
        let notification = message["notification"]
        self.init()
        alert = NotificationText(notification)
        successText = alert
        textPlaces = [.lines(of: notification, subtitle: "subtitle")]
        aps.badge = notification["badge"].looseInteger
        aps.sound = notification["sound"].text.map { NotificationSound(name: $0) }
        aps.category = notification["click_action"].text
        aps.mutableContent = message["mutable_content"].isSet
        aps.contentAvailable = message["content_available"].isSet
        aps.hasVisibleAlert = !alert.isBlank
        isSilent = aps.contentAvailable && alert.isBlank
        if let data = message["data"].object { details.append("data", .object(data)) }
    }
}
