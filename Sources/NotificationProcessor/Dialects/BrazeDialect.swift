import Base
import NotificationModel

/// The dialect of Braze. A push has the object `ab`. A request to Braze's REST API, from which Braze makes the push,
/// has `messages`.
///
/// The REST keys are those of Braze's documentation, "Apple push object", "Apple push alert object", "Android push
/// object" and "Web push object". Android's object has an icon and no image.
struct BrazeDialect: Dialect {
    let id: DialectID = "braze"
    var marks: [[String]] { [["ab"], ["messages"]] }

    func detect(_ payload: PayloadLayout) -> String? {
        if payload["ab"]?.object != nil { return "ab" }
        return Self.requests.first { payload["messages"]?[$0]?.object != nil }.map { "messages.\($0)" }
    }

    private static let requests = ["apple_push", "android_push", "web_push"]

    func read(_ payload: JSONNode) -> PushPayload {
        payload["ab"].object == nil ? Self.request(payload) : Self.push(payload)
    }

    private static func push(_ payload: JSONNode) -> PushPayload {
        var reading = PushPayload(aps: APSReader(payload))
        let message = payload["ab"]
        reading.media = media(message["att"]["url"], type: message["att"]["type"])
        reading.providerID = message["c"].identifier
        reading.link(to: payload["ab_uri"])
        return reading
    }

    private static func request(_ payload: JSONNode) -> PushPayload {
        let push = payload["messages"]["apple_push"]
        var reading = PushPayload(aps: APSReader(JSONNode(["aps": .object(APS.object(of: push))])))
        reading.textPlaces = [.alert(push["alert"].path)]
        reading.media = media(push["asset_url"], type: push["asset_file_type"])
        let (android, web) = (payload["messages"]["android_push"], payload["messages"]["web_push"])
        if android.object != nil || web.object != nil { reading.addOthers(android, web, hasApples: push.object != nil) }
        reading.providerID =
            payload["send_id"].identifier ?? payload["campaign_id"].identifier
            ?? push["message_variation_id"].identifier
        reading.link(to: push["custom_uri"], android["custom_uri"], web["custom_uri"])
        if let extra = push["extra"].object ?? android["extra"].object {
            reading.details.append("extra", .object(extra))
        }
        return reading
    }

    /// Returns the media item. An item without a type is left out, because Braze's own extension and its documentation
    /// require a URL and a type.
    private static func media(_ url: JSONNode, type: JSONNode) -> [MediaReference] {
        guard let name = type.text else { return [] }
        let claim = MediaClaim(.type(MediaFormat.words(\.fileExtension)), at: type)
        return [MediaReference(url, declaredType: .fileExtension(name), claims: [claim])].compactMap(\.self)
    }
}

extension PushPayload {
    /// Adds the texts and the media that a request has for Android and for the web.
    fileprivate mutating func addOthers(_ android: JSONNode, _ web: JSONNode, hasApples: Bool) {
        func text(_ push: JSONNode) -> NotificationText {
            NotificationText(title: push["title"].text, body: push["alert"].text)
        }
        let others = [android, web].filter { $0.object != nil }.map { TextPlace.lines(of: $0, body: "alert") }
        say(
            NotificationText(), [.apns: alert, .android: text(android), .webpush: text(web)],
            at: (hasApples ? textPlaces : []) + others)
        for index in media.indices { media[index].platform = .apns }
        media += [
            MediaReference(android["push_icon_image_url"], role: .icon, platform: .android),
            MediaReference(web["large_image_url"], platform: .webpush),
            MediaReference(web["image_url"], role: .icon, platform: .webpush),
        ].compactMap(\.self)
    }
}

/// Apple's keys, and Braze's names for them.
private enum APS {
    private static let keys = [
        ("badge", "badge"), ("sound", "sound"), ("category", "category"), ("content-available", "content-available"),
        ("mutable_content", "mutable-content"), ("interruption_level", "interruption-level"),
        ("relevance_score", "relevance-score"), ("notification_group_thread_id", "thread-id"),
    ]
    private static let alertTexts = ["title", "subtitle", "body"]
    private static let alertKeys = [
        ("title_loc_key", "title-loc-key"), ("title_loc_args", "title-loc-args"), ("loc_key", "loc-key"),
        ("loc_args", "loc-args"),
    ]

    static func object(of push: JSONNode) -> JSONObject {
        var aps = renamed(push, keys)
        // Braze sets the flag to 1 for a rich notification, even if the request says otherwise.
        if push["asset_url"].text != nil { aps.append("mutable-content", 1) }
        if let alert = push["alert"].text {
            aps.append("alert", .string(alert))
        } else if push["alert"].object != nil {
            var alert = renamed(push["alert"], alertKeys)
            for key in alertTexts {
                if let text = push["alert"][key].string { alert.append(key, .string(text)) }
            }
            aps.append("alert", .object(alert))
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
