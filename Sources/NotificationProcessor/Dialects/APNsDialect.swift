package import JSON
package import NotificationModel

/// A plain APNs payload: `aps`, and a media URL under one of the custom keys that tutorials and small senders use.
package struct APNsDialect: Dialect {
    /// The custom keys that are tried where none are configured.
    package static let commonMediaKeys = [
        KeyPathText(keys: "media", "url"), KeyPathText(keys: "media-url"), KeyPathText(keys: "media_url"),
        KeyPathText(keys: "image-url"), KeyPathText(keys: "image_url"), KeyPathText(keys: "attachment-url"),
        KeyPathText(keys: "attachment_url"), KeyPathText(keys: "image"), KeyPathText(keys: "video"),
        KeyPathText(keys: "audio"),
    ]

    package let id: DialectID = "apns"
    private let mediaKeys: [KeyPathText]

    /// - Parameter mediaKeys: the first of these that leads to strings is where the media are; one place, unless the
    ///   path has a `[]`.
    package init(mediaKeys: [KeyPathText] = Self.commonMediaKeys) { self.mediaKeys = mediaKeys }

    package var isOfAnySender: Bool { true }

    package func detect(_ payload: JSONObject) -> String? {
        payload["aps"]?.object == nil ? nil : "aps"
    }

    package func read(_ payload: JSONNode) -> PushPayload {
        var reading = PushPayload(aps: APSReader(payload))
        // A Live Activity has no attachments.
        guard !payload["aps"]["content-state"].exists else { return reading }
        let media = mediaKeys.lazy.map { $0.nodes(in: payload).compactMap { MediaReference($0) } }
        reading.media = media.first { !$0.isEmpty } ?? []
        return reading
    }
}
