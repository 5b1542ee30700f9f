package import JSON
package import NotificationModel

/// Airship: media in `com.urbanairship.media_attachment`, with a text that replaces the alert once they are there.
///
/// Its keys are as `MediaAttachmentPayload` of the public iOS SDK reads them; but that throws everything away for one
/// value of a wrong type, and here such a value is only not there.
package struct AirshipDialect: Dialect {
    package let id: DialectID = "airship"

    private static let attachment = "com.urbanairship.media_attachment"
    private static let metadata = "com.urbanairship.metadata"
    /// The SDK's actions that open something, each by its name and its short name, in the order of their worth.
    private static let linkActions = ["^d", "deep_link_action", "^u", "open_external_url_action"]

    package init() {}

    package func detect(_ payload: JSONObject) -> String? {
        if let key = [Self.attachment, Self.metadata].first(where: { payload[$0] != nil }) { return key }
        return payload["_"]?.identifier == nil ? nil : "_"
    }

    package func read(_ payload: JSONNode) -> PushPayload {
        var reading = PushPayload(aps: APSReader(payload))
        let attachment = payload[Self.attachment]
        reading.media = Self.media(attachment)
        let text = NotificationText(attachment["content"])
        if !reading.media.isEmpty, !text.isEmpty {
            reading.fallbackText = reading.successText
            reading.successText = text.over(reading.successText)
        }
        // The send, the metadata and the message of the inbox are what the SDK tells its server when a push has come
        // (`PushReceivedEvent`).
        reading.providerID = payload["_"].identifier
        if let link = Self.linkActions.lazy.compactMap({ payload[$0].text }).first {
            reading.details.append("link", .string(link))
        }
        if let metadata = payload[Self.metadata].text { reading.details.append("metadata", .string(metadata)) }
        if let message = payload["_uamid"].identifier { reading.details.append("messageId", .string(message)) }
        return reading
    }

    private static func media(_ attachment: JSONNode) -> [MediaReference] {
        let thumbnail = attachment["thumbnail_id"].text
        let options = AttachmentOptions(attachment["options"])
        return places(attachment).compactMap { place in
            var options = options
            // Whatever `hidden` says: there is one thumbnail, and this is not it.
            if let thumbnail, thumbnail != place.identifier { options.thumbnailHidden = true }
            return MediaReference(place.url, identifier: place.identifier, options: options)
        }
    }

    /// `urls` goes before `url` even when it is empty.
    private static func places(_ attachment: JSONNode) -> [(url: JSONNode, identifier: String?)] {
        if attachment["urls"].array != nil {
            return attachment["urls"].elements.map { ($0["url"], $0["url_id"].identifier) }
        }
        let urls = attachment["url"].array == nil ? [attachment["url"]] : attachment["url"].elements
        return urls.map { ($0, nil) }
    }
}

extension AttachmentOptions {
    /// A crop that is no rectangle makes all options invalid.
    fileprivate init(_ node: JSONNode) {
        self.init()
        let crop = ClippingRect(node["crop"])
        if crop == nil, (node["crop"].value ?? .null) != .null { return }
        thumbnailClippingRect = crop
        thumbnailTime = node["time"].double.flatMap { $0 >= 0 ? $0 : nil }
        thumbnailHidden = node["hidden"].isSet
    }
}
