package import JSON
package import NotificationModel

/// Braze: `ab` of a push, or the request to its REST API that the push is made from.
///
/// The REST keys are those of Braze's documentation, "Apple push object" and "Apple push alert object".
package struct BrazeDialect: Dialect {
    package let id: DialectID = "braze"

    package init() {}

    package func detect(_ payload: JSONObject) -> String? {
        if payload["ab"]?.object != nil { return "ab" }
        return payload["messages"]["apple_push"]?.object == nil ? nil : "messages.apple_push"
    }

    package func read(_ payload: JSONNode) -> PushPayload {
        payload["ab"].object == nil ? Self.request(payload) : Self.push(payload)
    }

    private static func push(_ payload: JSONNode) -> PushPayload {
        var reading = PushPayload(aps: APSReader(payload))
        let message = payload["ab"]
        reading.media = media(message["att"]["url"], type: message["att"]["type"])
        reading.providerID = message["c"].identifier
        if let link = payload["ab_uri"].text { reading.details.append("link", .string(link)) }
        return reading
    }

    private static func request(_ payload: JSONNode) -> PushPayload {
        let push = payload["messages"]["apple_push"]
        var reading = PushPayload(aps: APSReader(JSONNode(["aps": .object(APS.object(of: push))])))
        reading.textPlaces = [.alert(push["alert"].path)]
        reading.media = media(push["asset_url"], type: push["asset_file_type"])
        reading.providerID =
            payload["send_id"].identifier ?? payload["campaign_id"].identifier
            ?? push["message_variation_id"].identifier
        if let link = push["custom_uri"].text { reading.details.append("link", .string(link)) }
        if let extra = push["extra"].object { reading.details.append("extra", .object(extra)) }
        return reading
    }

    /// Without a type there is no medium: Braze's own extension asks for both, and so does its documentation.
    private static func media(_ url: JSONNode, type: JSONNode) -> [MediaReference] {
        guard let name = type.text, var medium = MediaReference(url, declaredType: .fileExtension(name)) else {
            return []
        }
        medium.claims = [MediaClaim(.type(RenditionType.words(\.fileExtension)), at: type)]
        return [medium]
    }
}

/// Apple's keys by Braze's names of them.
private enum APS {
    private static let keys = [
        ("badge", "badge"), ("sound", "sound"), ("category", "category"), ("content-available", "content-available"),
        ("mutable_content", "mutable-content"), ("interruption_level", "interruption-level"),
        ("relevance_score", "relevance-score"), ("notification_group_thread_id", "thread-id"),
    ]
    private static let alertKeys = [
        ("title", "title"), ("subtitle", "subtitle"), ("body", "body"), ("title_loc_key", "title-loc-key"),
        ("title_loc_args", "title-loc-args"), ("loc_key", "loc-key"), ("loc_args", "loc-args"),
    ]

    static func object(of push: JSONNode) -> JSONObject {
        var aps = renamed(push, keys)
        // It is set to 1 for a rich notification whatever the request says.
        if push["asset_url"].text != nil { aps.append("mutable-content", 1) }
        if let alert = push["alert"].text {
            aps.append("alert", .string(alert))
        } else if push["alert"].object != nil {
            aps.append("alert", .object(renamed(push["alert"], alertKeys)))
        }
        return aps
    }

    private static func renamed(_ node: JSONNode, _ keys: [(braze: String, apple: String)]) -> JSONObject {
        var object = JSONObject()
        for key in keys {
            if let value = node[key.braze].value { object.append(key.apple, value) }
        }
        return object
    }
}
