package import Base
package import NotificationModel

/// The dialect of a message to Firebase Cloud Messaging as a server sends it (HTTP v1). The message has one text, and
/// each platform's own values.
///
/// The Admin SDKs take the message without `message` around it. The Admin SDK for Node spells the keys in camel case
/// (firebase-admin-node, `messaging-api.ts`).
package struct FCMDialect: Dialect {
    package let id: DialectID = "fcm"
    package var marks: [[String]] { [["message"]] }

    /// The paths of media in Apple's payload and in `data`, for senders that have no separate payload format.
    var mediaKeys = MediaKeys.common

    package var isOfAnySender: Bool { true }

    package func detect(_ payload: PayloadLayout) -> String? {
        guard let message = payload.message else { return nil }
        return message.path == .root ? Self.target(of: payload.root) : "message"
    }

    /// Returns the message that a server sends to FCM, in which other senders' payloads may be; `nil` if the payload is
    /// no such message. A payload with both `message` and `aps` is not sent to FCM, because FCM requires `aps` inside
    /// the message.
    package static func message(of payload: JSONNode) -> JSONNode? {
        guard payload.unrecorded["aps"].object == nil else { return nil }
        if isMessage(payload.unrecorded["message"]) { return payload["message"] }
        return isBareMessage(payload.unrecorded) ? payload : nil
    }

    /// Returns whether the object `message` has a member that FCM defines. Other programs put a push, or a queue's
    /// text, into `message`.
    private static func isMessage(_ message: JSONNode) -> Bool {
        guard let object = message.object else { return false }
        if ["notification", "data"].contains(where: { message[$0].object != nil }) { return true }
        let keys = ["android", "apns", "webpush", "fcm_options", "token", "topic", "condition", "name"]
        return object.isEmpty || keys.contains { message[$0].exists }
    }

    /// Returns whether a payload is a message that a server sends to FCM.
    package static func isMessage(_ payload: JSONValue?) -> Bool { message(of: JSONNode(payload)) != nil }

    /// Returns whether the object is a message as the Admin SDKs take it. Such a message has recipients and a part for a
    /// platform. With tokens or a topic, the text or the data for all platforms is enough.
    private static func isBareMessage(_ payload: JSONNode) -> Bool {
        // Requests of other senders have these keys beside a token or a topic.
        let others = ["title", "body", "message", "platform", "payload", "user"]
        guard let target = target(of: payload), !others.contains(where: { payload[$0].exists }) else { return false }
        let parts = ["apns", "android", "webpush"] + (target == "condition" ? [] : ["notification", "data"])
        return parts.contains { payload[$0].object != nil }
    }

    private static func target(of payload: JSONNode) -> String? {
        if payload["tokens"].array != nil { return "tokens" }
        return ["token", "topic", "condition"].first { payload[$0].text != nil }
    }

    package func read(_ payload: JSONNode) -> PushPayload {
        let message = Self.message(of: payload) ?? payload["message"]
        var reading = PushPayload(fcm: message)
        let own = message["data"].object == nil ? message["android"]["data"] : message["data"]
        let data = DataMessage(own, mediaKeys)
        reading.takeTexts(of: data)
        let (hasApples, hasAndroids) = (reading.hasAttachment(for: .apns), reading.hasAttachment(for: .android))
        guard !hasApples else { return reading }
        let apples = mediaKeys.find(in: message["apns"]["payload"], platform: .apns)?.media
        let isForAll = message["notification"].object == nil && !hasAndroids
        reading.media += apples ?? data.media(platform: isForAll ? nil : .apns)
        return reading
    }
}

extension PushPayload {
    fileprivate func hasAttachment(for platform: PushPlatform) -> Bool {
        media.contains { $0.role == .attachment && [nil, .any, platform].contains($0.platform) }
    }
}

/// The reading of a message to FCM, in which other senders' payloads may be.
///
/// Members are those of the reference of `projects.messages`. Every image is read, with the platform that it is for.
extension PushPayload {
    init(fcm message: JSONNode) {
        let (android, apns, web) = (message["android"], message["apns"], message["webpush"])
        let webNotification = WebNotificationReader(web["notification"])
        let isOfNode = message.path == .root
        self.init(aps: APSReader(apns["payload"], ofNode: isOfNode))
        isFCMMessage = true
        providerID = message["name"].text
        let common = Self.text(of: message["notification"])
        let own = [
            PushPlatform.apns: alert, .android: Self.text(of: android["notification"]),
            .webpush: webNotification.text,
        ]
        successText = common.over(alert).over(own[.android] ?? .init()).over(webNotification.text)
        // The text of a platform's part takes precedence over that of the message (FCM, `AndroidNotification`: "If
        // present, it will override …").
        platformTexts = own.filter { !$0.value.isEmpty }
        textPlaces =
            [message, android].map { .lines(of: $0["notification"]) } + [webNotification.textPlace] + textPlaces
        media =
            [
                MediaReference(message["notification"].either("image", "imageUrl", ofNode: isOfNode), platform: .any),
                MediaReference(
                    android["notification"].either("image", "imageUrl", ofNode: isOfNode), platform: .android),
                MediaReference(
                    apns.either("fcm_options", "fcmOptions", ofNode: isOfNode).either(
                        "image", "imageUrl", ofNode: isOfNode), platform: .apns),
            ].compactMap(\.self) + webNotification.media(on: .webpush)
        if !media.isEmpty { imageBytes = FirebaseDialect.imageBytes }
        actions = webNotification.actions
        // FCM makes an alert from the message's text if `aps` has no alert.
        if !common.isEmpty {
            aps.hasVisibleAlert = true
            isSilent = false
        }
        complete(from: android["notification"], isOfNode)
        appleExpiresAt = APNsHeaders.expiration(in: apns["headers"])
        details = Self.details(of: message)
    }

    private static func text(of notification: JSONNode) -> NotificationText {
        NotificationText(title: notification["title"].string, body: notification["body"].string)
    }

    /// Uses Android's count as the badge, and Android's sound, if `aps` does not have them.
    private mutating func complete(from notification: JSONNode, _ isOfNode: Bool) {
        if aps.badge == nil {
            aps.badge = notification.either("notification_count", "notificationCount", ofNode: isOfNode).integer
        }
        if aps.sound == nil { aps.sound = notification["sound"].text.map { NotificationSound(name: $0) } }
    }

    private static func details(of message: JSONNode) -> JSONObject {
        var details = JSONObject()
        let isOfNode = message.path == .root
        let options = message["webpush"].either("fcm_options", "fcmOptions", ofNode: isOfNode)
        details.append("link", text: options["link"].text)
        if let data = message["data"].object { details.append("data", .object(data)) }
        let channel = message["android"]["notification"].either("channel_id", "channelId", ofNode: isOfNode)
        details.append("channelId", text: channel.text)
        return details
    }
}

extension JSONNode {
    /// Returns the member of a name. If it is missing and `isOfNode` is set, returns the member of the other name.
    func either(_ key: String, _ other: String, ofNode isOfNode: Bool) -> JSONNode {
        let first = self[key]
        return first.exists || !isOfNode ? first : self[other]
    }
}
