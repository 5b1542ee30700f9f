package import NotificationModel

/// A plain APNs payload: `aps`, and a media URL under one of the custom keys that tutorials and small senders use.
package struct APNsDialect: Dialect {
    package let id: DialectID = "apns"

    /// The first of these that holds a string is the medium.
    private static let mediaKeys = [
        "media-url", "media_url", "image-url", "image_url", "attachment-url", "attachment_url", "image", "video",
        "audio",
    ]

    package init() {}

    package func detect(_ payload: JSONObject) -> String? {
        payload["aps"]?.object == nil ? nil : "aps"
    }

    package func read(_ payload: JSONNode) -> PushPayload {
        var reading = PushPayload(aps: APSReader(payload))
        // A Live Activity has no attachments.
        guard !payload["aps"]["content-state"].exists else { return reading }
        let places = [payload["media"]["url"]] + Self.mediaKeys.map { payload[$0] }
        reading.media = places.lazy.compactMap { MediaReference($0) }.prefix(1).map(\.self)
        return reading
    }
}
