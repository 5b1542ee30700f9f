package import JSON
package import NotificationModel

/// The dialect of MoEngage. `moengage` has the media item, and `app_extra` has the link that a tap opens.
package struct MoEngageDialect: Dialect {
    package let id: DialectID = "moengage"
    package var marks: [[String]] { [["moengage"]] }

    package init() {}

    package func detect(_ payload: PayloadLayout) -> String? {
        payload["moengage"]?.object == nil ? nil : "moengage"
    }

    package func read(_ payload: JSONNode) -> PushPayload {
        var reading = PushPayload(aps: APSReader(payload))
        let message = payload["moengage"]
        let extra = payload["app_extra"]
        reading.providerID = message["cid"].identifier
        let type = message["media-type"].text.map { DeclaredMediaType.mediaClass($0) }
        if var item = MediaReference(message["media-attachment"], declaredType: type) {
            item.claims = [MediaClaim.classOfType(message["media-type"])].compactMap(\.self)
            reading.media = [item]
        }
        if let link = extra["moe_deeplink"].text { reading.details.append("link", .string(link)) }
        if let screen = extra["screenName"].text { reading.details.append("screen", .string(screen)) }
        if let data = extra["screenData"].object { reading.details.append("screenData", .object(data)) }
        return reading
    }
}
