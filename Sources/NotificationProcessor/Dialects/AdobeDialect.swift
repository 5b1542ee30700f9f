package import JSON
package import NotificationModel

/// The dialect of Adobe Campaign, which has the media URL in `media-attachment-url`.
///
/// `_mId` (broadlog), `_dId` (delivery) and `uri` (the deep link) are from the vendor's "Understanding push
/// notifications payload structure".
package struct AdobeDialect: Dialect {
    package let id: DialectID = "adobe"
    package var marks: [[String]] { [["media-attachment-url"]] }

    package init() {}

    package func detect(_ payload: PayloadLayout) -> String? {
        payload["media-attachment-url"]?.string == nil ? nil : "media-attachment-url"
    }

    package func read(_ payload: JSONNode) -> PushPayload {
        var reading = PushPayload(aps: APSReader(payload))
        reading.providerID = payload["_mId"].identifier
        reading.media = [MediaReference(payload["media-attachment-url"])].compactMap(\.self)
        if let link = payload["uri"].text { reading.details.append("link", .string(link)) }
        if let id = payload["_dId"].identifier { reading.details.append("deliveryId", .string(id)) }
        return reading
    }
}
