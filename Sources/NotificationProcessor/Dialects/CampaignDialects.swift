import Base
import NotificationModel

/// The dialect of Adobe Campaign, which has the media URL in `media-attachment-url`.
///
/// `_mId` (broadlog), `_dId` (delivery) and `uri` (the deep link) are from the vendor's "Understanding push
/// notifications payload structure".
struct AdobeDialect: APSDialect {
    let id: DialectID = "adobe"
    var marks: [[String]] { [["media-attachment-url"]] }

    func detect(_ payload: PayloadLayout) -> String? {
        payload["media-attachment-url"]?.string == nil ? nil : "media-attachment-url"
    }

    func read(_ payload: JSONNode, into reading: inout PushPayload) {
        reading.providerID = payload["_mId"].identifier
        reading.media = [MediaReference(payload["media-attachment-url"])].compactMap(\.self)
        reading.link(to: payload["uri"])
        reading.details.append("deliveryId", text: payload["_dId"].identifier)
    }
}

/// The dialect of SAP Emarsys. The image is in `image_url` at the top, buttons and campaign are in `ems`, and the
/// message's ID is in `u`.
///
/// The sources of `ems.default_action`, and of a `u` that is a string of JSON, are the tests of the vendor's iOS SDK.
struct EmarsysDialect: APSDialect {
    let id: DialectID = "emarsys"
    var marks: [[String]] { [["ems"]] }

    func detect(_ payload: PayloadLayout) -> String? { payload["ems"]?.object == nil ? nil : "ems" }

    func read(_ payload: JSONNode, into reading: inout PushPayload) {
        let campaign = payload["ems"]
        reading.providerID = payload["u"].unpacked["sid"].identifier
        reading.media = [MediaReference(payload["image_url"])].compactMap(\.self)
        reading.actions = campaign["actions"].actions(identifier: "id", title: "title") { $0["url"] }
        reading.link(to: campaign["default_action"]["url"])
        reading.details.append("campaignId", text: campaign["multichannelId"].identifier)
    }
}

/// The dialect of Mindbox. `clickUrl`, `imageUrl` and `buttons` are at the top, and the message's ID is in `uniqueKey`.
///
/// The buttons and `payload` (the sender's own data, a string) are from the vendor's "iOS Push Notifications Format".
struct MindboxDialect: APSDialect {
    let id: DialectID = "mindbox"
    var marks: [[String]] { [["clickUrl", "uniqueKey"]] }

    func detect(_ payload: PayloadLayout) -> String? {
        payload["clickUrl"]?.string != nil && payload["uniqueKey"]?.string != nil ? "clickUrl+uniqueKey" : nil
    }

    func read(_ payload: JSONNode, into reading: inout PushPayload) {
        reading.providerID = payload["uniqueKey"].identifier
        reading.media = [MediaReference(payload["imageUrl"])].compactMap(\.self)
        reading.actions = payload["buttons"].actions(identifier: "uniqueKey", title: "text") { $0["url"] }
        reading.link(to: payload["clickUrl"])
        reading.details.append("userData", text: payload["payload"].text)
    }
}

/// The dialect of MoEngage. `moengage` has the media item, and `app_extra` has the link that a tap opens.
struct MoEngageDialect: APSDialect {
    let id: DialectID = "moengage"
    var marks: [[String]] { [["moengage"]] }

    func detect(_ payload: PayloadLayout) -> String? { payload["moengage"]?.object == nil ? nil : "moengage" }

    func read(_ payload: JSONNode, into reading: inout PushPayload) {
        let message = payload["moengage"]
        let extra = payload["app_extra"]
        reading.providerID = message["cid"].identifier
        let type = message["media-type"].text.map { DeclaredMediaType.mediaClass($0) }
        let claim = MediaClaim.classOfType(message["media-type"])
        reading.media = [MediaReference(message["media-attachment"], declaredType: type, claims: [claim])]
            .compactMap(\.self)
        reading.link(to: extra["moe_deeplink"])
        reading.details.append("screen", text: extra["screenName"].text)
        if let data = extra["screenData"].object { reading.details.append("screenData", .object(data)) }
    }
}
