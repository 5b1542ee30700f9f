import Base
import NotificationModel

/// The dialect of WonderPush. `_wp` is an object for Apple's platforms, and a string of JSON in Android's data. A
/// request is a call of WonderPush's Management API.
///
/// Keys of pushes are those of the public SDKs: wonderpush-ios-sdk (its service extension) and wonderpush-android-sdk
/// (`NotificationModel.java`, `AlertBigPictureModel.java`). Keys of the request are those of wonderpush-php-lib
/// (`NotificationAlertIos.php`, `NotificationAlertAndroid.php`, `NotificationAlertWeb.php`) and of the reference at
/// docs.wonderpush.com.
struct WonderPushDialect: Dialect {
    let id: DialectID = "wonderpush"
    var marks: [[String]] { [["_wp"]] }

    func detect(_ payload: PayloadLayout) -> String? {
        if let place = payload.find(Self.mark) { return place.rule }
        guard payload.root["notification"]["alert"].object != nil else { return nil }
        let members = payload.object.members
        let hasTarget = members.contains { $0.key.hasPrefix("target") || $0.key == "campaignId" }
        return hasTarget ? "notification.alert{}" : nil
    }

    private static func mark(of data: JSONNode) -> String? { data["_wp"].unpacked.object == nil ? nil : "_wp" }

    func read(_ payload: JSONNode) -> PushPayload {
        AndroidData.find(in: payload, Self.mark).map { Self.push($0.data, in: payload) }
            ?? Self.request(payload["notification"])
    }

    private static func push(_ data: JSONNode, in payload: JSONNode) -> PushPayload {
        var reading = PushPayload(around: data, in: payload)
        let message = data["_wp"].unpacked
        let alert = message["alert"]
        if data["aps"].object == nil {
            let text = NotificationText(title: alert["title"].text, body: alert["text"].text ?? data["alert"].text)
            reading.say(text, at: .lines(of: alert, body: "text"))
            reading.textPlaces.append(.lines(title: nil, subtitle: nil, body: data["alert"].path))
        }
        reading.media = attachments(message["attachments"]) + images(alert)
        reading.providerID = message["n"].identifier ?? message["reporting"]["notificationId"].identifier
        // The app identifies a button by its text.
        reading.actions = alert["buttons"].actions(identifier: "label", title: "label") { $0["targetUrl"] }
        reading.link(to: message["targetUrl"])
        return reading
    }

    private static func request(_ notification: JSONNode) -> PushPayload {
        let alert = notification["alert"]
        let (ios, android, web) = (alert["ios"], alert["android"], alert["web"])
        var reading = PushPayload()
        reading.say(
            NotificationText(title: alert["title"].text, body: alert["text"].text),
            [
                .apns: NotificationText(title: ios["title"].text, body: ios["body"].text),
                .android: NotificationText(title: android["title"].text, body: android["text"].text),
                .webpush: NotificationText(title: web["title"].text, body: web["body"].text),
            ],
            at: [
                .lines(of: alert, body: "text"), .lines(of: ios), .lines(of: android, body: "text"), .lines(of: web),
            ])
        reading.media =
            attachments(ios["attachments"], platform: .apns) + images(android, platform: .android)
            + [
                MediaReference(web["image"], platform: .webpush),
                MediaReference(webURL: web["icon"], role: .icon, platform: .webpush),
                MediaReference(webURL: web["badge"], role: .badge, platform: .webpush),
            ].compactMap(\.self)
        reading.link(to: alert["targetUrl"])
        return reading
    }

    /// Returns the images of Android's part. An icon may be the name of a resource in the app, which is left out.
    private static func images(_ alert: JSONNode, platform: PushPlatform? = nil) -> [MediaReference] {
        [MediaReference(alert["bigPicture"], platform: platform)].compactMap(\.self)
            + ["largeIcon", "bigLargeIcon"].compactMap {
                MediaReference(webURL: alert[$0], role: .icon, platform: platform)
            }
    }

    private static func attachments(_ node: JSONNode, platform: PushPlatform? = nil) -> [MediaReference] {
        node.elements.compactMap { attachment in
            var options = AttachmentOptions()
            let (own, prefix) = (attachment["options"], "UNNotificationAttachmentOptionsThumbnail")
            options.thumbnailHidden = own[prefix + "HiddenKey"].isSet
            options.thumbnailTime = own[prefix + "TimeKey"].double.flatMap { $0 >= 0 ? $0 : nil }
            return MediaReference(
                attachment["url"], identifier: attachment["id"].identifier, platform: platform,
                declaredType: attachment["type"].text.map(type), options: options,
                claims: [claim(attachment["type"])])
        }
    }

    /// Returns the declared type for a MIME type, an Apple type identifier, or a file extension.
    private static func type(_ name: String) -> DeclaredMediaType {
        if name.contains("/") { return .mimeType(name) }
        return name.contains(".") ? .mediaClass(name) : .fileExtension(name)
    }

    private static func claim(_ node: JSONNode) -> MediaClaim? {
        guard let name = node.text, !name.contains("/"), name.contains(".") else { return MediaClaim.type(node) }
        return MediaClaim(.type(MediaFormat.words(\.uniformTypeIdentifier)), at: node)
    }
}
