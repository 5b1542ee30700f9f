import Base
import NotificationModel

/// The dialect of Airship. The media are in `com.urbanairship.media_attachment`, with a text that replaces the alert
/// when they are loaded.
///
/// The keys are those that `MediaAttachmentPayload` of the public iOS SDK reads. The SDK discards the whole attachment
/// if one value has a wrong type; this dialect ignores only that value. The keys of Android's data are those of the
/// Android SDK (`PushMessage.java`). The request is that of the vendor's API, "Push object" and "Platform overrides".
struct AirshipDialect: Dialect {
    let id: DialectID = "airship"
    var marks: [[String]] { [["com.urbanairship.media_attachment"], ["audience", "notification"]] }

    private static let attachment = "com.urbanairship.media_attachment"
    private static let metadata = "com.urbanairship.metadata"
    /// The SDK's actions that open a link, each by its short name and its name, in the order of their precedence.
    private static let linkActions = ["^d", "deep_link_action", "^u", "open_external_url_action"]

    func detect(_ payload: PayloadLayout) -> String? {
        if let place = payload.find(Self.mark) { return place.rule }
        if let key = [Self.attachment, Self.metadata].first(where: { payload[$0] != nil }) { return key }
        if payload["_"]?.identifier != nil { return "_" }
        return Self.isRequest(payload.root) ? "audience+notification" : nil
    }

    private static func mark(of data: JSONNode) -> String? {
        let isPush = data.object?.members.contains { $0.key.hasPrefix("com.urbanairship.push.") } ?? false
        return isPush ? "com.urbanairship.push.*" : nil
    }

    /// Returns whether the payload is a request. With a `platform`, it is a request to JPush instead.
    private static func isRequest(_ payload: JSONNode) -> Bool {
        payload["notification"].object != nil && !payload["platform"].exists
            && (payload["audience"].object != nil || payload["audience"].string == "all")
    }

    func read(_ payload: JSONNode) -> PushPayload {
        if let data = AndroidData.find(in: payload, Self.mark)?.data { return Self.push(data, in: payload) }
        let isPush = payload[Self.attachment].exists || payload[Self.metadata].exists || payload["_"].exists
        return isPush || !Self.isRequest(payload) ? Self.push(payload) : Self.request(payload["notification"])
    }

    private static func push(_ data: JSONNode, in payload: JSONNode) -> PushPayload {
        var reading = PushPayload(around: data, in: payload)
        reading.say(in: data, title: "com.urbanairship.title", body: "com.urbanairship.push.ALERT")
        reading.media += [MediaReference(data["com.urbanairship.style"].unpacked["big_picture"])].compactMap(\.self)
        reading.providerID = data["com.urbanairship.push.PUSH_ID"].identifier
        let actions = data["com.urbanairship.actions"].unpacked
        reading.details.append("link", text: linkActions.lazy.compactMap { actions[$0].text }.first)
        reading.details.append("metadata", text: data[metadata].text)
        return reading
    }

    private static func request(_ notification: JSONNode) -> PushPayload {
        let (ios, android, web) = (notification["ios"], notification["android"], notification["web"])
        func text(_ platform: JSONNode) -> NotificationText {
            NotificationText(
                title: platform["title"].text, subtitle: platform["subtitle"].text, body: platform["alert"].text)
        }
        let (common, alert) = (NotificationText(body: notification["alert"].text), NotificationText(ios["alert"]))
        let own = text(ios).over(alert)
        let content = NotificationText(ios["media_attachment"]["content"])
        var reading = PushPayload()
        reading.media =
            media(ios["media_attachment"], platform: .apns)
            + [MediaReference(android["style"]["big_picture"], platform: .android)].compactMap(\.self)
        reading.say(
            common, [.apns: own, .android: text(android), .webpush: text(web)],
            at: [
                .lines(title: nil, subtitle: nil, body: notification["alert"].path),
                .lines(of: ios, subtitle: "subtitle", body: "alert"), .lines(of: android, body: "alert"),
                .lines(of: web, body: "alert"),
            ])
        if !content.isEmpty, reading.media.contains(where: { $0.platform == .apns }) {
            reading.fallbackText = own.over(common)
            reading.platformTexts[.apns] = content.over(own)
            reading.successText = content.over(reading.successText)
        }
        return reading
    }

    private static func push(_ payload: JSONNode) -> PushPayload {
        var reading = PushPayload(aps: APSReader(payload))
        let attachment = payload[attachment]
        reading.media = media(attachment)
        let text = NotificationText(attachment["content"])
        if !reading.media.isEmpty, !text.isEmpty {
            reading.fallbackText = reading.successText
            reading.successText = text.over(reading.successText)
        }
        // The send, the metadata and the inbox message are the values that the SDK reports to its server when a push
        // arrives (`PushReceivedEvent`).
        reading.providerID = payload["_"].identifier
        reading.details.append("link", text: linkActions.lazy.compactMap { payload[$0].text }.first)
        reading.details.append("metadata", text: payload[metadata].text)
        reading.details.append("messageId", text: payload["_uamid"].identifier)
        return reading
    }

    private static func media(_ attachment: JSONNode, platform: PushPlatform? = nil) -> [MediaReference] {
        let thumbnail = attachment["thumbnail_id"].text
        let options = AttachmentOptions(attachment["options"])
        return places(attachment).compactMap { place in
            var options = options
            // `thumbnail_id` takes precedence over `hidden`, because it names the only thumbnail.
            if let thumbnail, thumbnail != place.identifier { options.thumbnailHidden = true }
            return MediaReference(place.url, identifier: place.identifier, platform: platform, options: options)
        }
    }

    /// Returns the nodes with the URLs of the media. `urls` takes precedence over `url`, even if it is empty.
    private static func places(_ attachment: JSONNode) -> [(url: JSONNode, identifier: String?)] {
        if attachment["urls"].array != nil {
            return attachment["urls"].elements.map { ($0["url"], $0["url_id"].identifier) }
        }
        let urls = attachment["url"].array == nil ? [attachment["url"]] : attachment["url"].elements
        return urls.map { ($0, nil) }
    }
}

extension AttachmentOptions {
    /// Creates the options. A crop that is no rectangle makes all options invalid.
    fileprivate init(_ node: JSONNode) {
        self.init()
        let crop = Rectangle(node["crop"])
        if crop == nil, (node["crop"].value ?? .null) != .null { return }
        thumbnailClippingRect = crop
        thumbnailTime = node["time"].double.flatMap { $0 >= 0 ? $0 : nil }
        thumbnailHidden = node["hidden"].isSet
    }
}
