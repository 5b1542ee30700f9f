package import JSON
package import NotificationModel

/// A message of Firebase Cloud Messaging as a server sends it (HTTP v1): one text, and what each platform has of its own.
package struct FCMDialect: Dialect {
    package let id: DialectID = "fcm"

    package init() {}

    package var isOfAnySender: Bool { true }

    package func detect(_ payload: JSONObject) -> String? {
        Self.message(of: JSONNode(payload)).map { _ in "message" }
    }

    /// The message that a server sends to FCM, which other senders' payloads may be in; `nil`: it is no such message.
    /// Beside `aps` a `message` is the sender's own: FCM has that inside.
    static func message(of payload: JSONNode) -> JSONNode? {
        payload["message"].object == nil || payload["aps"].object != nil ? nil : payload["message"]
    }

    package func read(_ payload: JSONNode) -> PushPayload { PushPayload(fcm: payload["message"]) }
}

/// The message, which other senders' payloads may be in.
///
/// Members are those of the reference of `projects.messages`. Every picture is read, with the platform that it is for.
extension PushPayload {
    init(fcm message: JSONNode) {
        let (android, apns, web) = (message["android"], message["apns"], message["webpush"])
        let webNotification = WebNotificationReader(web["notification"])
        self.init(aps: APSReader(apns["payload"]))
        isFCMMessage = true
        providerID = message["name"].text
        let common = Self.text(of: message["notification"])
        let own = [
            PushPlatform.apns: alert, .android: Self.text(of: android["notification"]),
            .webpush: webNotification.text,
        ]
        successText = common.over(alert).over(own[.android] ?? .init()).over(webNotification.text)
        // What a platform's part says goes before the message's (FCM, `AndroidNotification`: "If present, it will
        // override …").
        platformTexts = own.filter { !$0.value.isEmpty }
        textPlaces =
            [message, android].map { .lines(of: $0["notification"]) } + [webNotification.textPlace] + textPlaces
        media =
            [
                MediaReference(message["notification"]["image"], platform: .any),
                MediaReference(android["notification"]["image"], platform: .android),
                MediaReference(apns["fcm_options"]["image"], platform: .apns),
            ].compactMap(\.self) + webNotification.media(on: .webpush)
        if !media.isEmpty { pictureBytes = FirebaseDialect.pictureBytes }
        actions = webNotification.actions
        // FCM makes the alert of this text where `aps` has none.
        if !common.isEmpty {
            aps.hasVisibleAlert = true
            isSilent = false
        }
        Self.complete(&aps, from: android["notification"])
        details = Self.details(of: message)
    }

    private static func text(of notification: JSONNode) -> NotificationText {
        NotificationText(title: notification["title"].string, body: notification["body"].string)
    }

    /// Android's own count and sound, where `aps` has none.
    private static func complete(_ aps: inout APSFields, from notification: JSONNode) {
        if aps.badge == nil { aps.badge = notification["notification_count"].integer }
        if aps.sound == nil { aps.sound = notification["sound"].text.map { NotificationSound(name: $0) } }
    }

    private static func details(of message: JSONNode) -> JSONObject {
        var details = JSONObject()
        if let link = message["webpush"]["fcm_options"]["link"].text { details.append("link", .string(link)) }
        if let data = message["data"].object { details.append("data", .object(data)) }
        if let channel = message["android"]["notification"]["channel_id"].text {
            details.append("channelId", .string(channel))
        }
        return details
    }
}
