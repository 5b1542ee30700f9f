import FoundationEssentials
import JSON

/// A device that a homeserver names to a push gateway. The values of the device are those that its app registered with
/// the pusher (`setPusherWithPushkey` of SDN's iOS SDK, "Push Notifications"; `POST /pushers/set` of Matrix's
/// Client-Server API).
enum MatrixDevice {
    /// Returns the details of a device.
    ///
    /// - `environment`: the end of the app's ID. SDN's and Matrix's iOS SDKs recommend a different end for each
    ///   environment ("Push Notifications" in their README).
    /// - `pushKeyBytes`: the size of a push key in Base64, in bytes. Both SDKs recommend Base64 for APNs tokens. Other
    ///   push keys have no such member.
    static func detail(of device: JSONNode) -> JSONObject {
        var detail = JSONObject()
        let application = device["app_id"].text
        if let application { detail.append("appId", .string(application)) }
        if let key = device["pushkey"].text { detail.append("pushKey", .string(key)) }
        detail.append("environment", environment(of: application).map { .string($0) } ?? .null)
        if let bytes = device["pushkey"].text.flatMap({ Data(base64Encoded: $0) }) {
            detail.append("pushKeyBytes", .number(JSONNumber(bytes.count)))
        }
        for (name, key) in [
            ("lang", "lang"), ("profileTag", "profile_tag"), ("appDisplayName", "app_display_name"),
            ("deviceDisplayName", "device_display_name"), ("kind", "kind"),
        ] {
            // Some homeservers forward the pusher's own keys in its data, or under the SDK's names.
            let places = [device, device["data"]].flatMap { [$0[key], $0[name]] }
            if let text = places.lazy.compactMap(\.text).first { detail.append(name, .string(text)) }
        }
        for key in ["data", "tweaks"] {
            if let object = device[key].object, !object.isEmpty { detail.append(key, .object(object)) }
        }
        return detail
    }

    private static func environment(of application: String?) -> String? {
        ["dev", "prod"].first { application?.hasSuffix("." + $0) == true }
    }
}

/// The English text of an event without a body. Such an event is encrypted, has only its IDs, or has a type without a
/// body.
///
/// A homeserver or gateway names such a text by a `loc-key`, which needs the app's string tables.
enum MatrixText {
    static func body(of event: JSONNode) -> String {
        switch event["type"].string {
        case "m.room.encrypted": "Encrypted message"
        case "m.room.member":
            [event, event["content"]].contains { $0["membership"].string == "invite" }
                ? "Invitation to a room" : "Change of members"
        case "m.call.invite": "Incoming call"
        case "m.sticker": "Sticker"
        case "m.reaction": "Reaction"
        default:
            bodies[event["content"]["msgtype"].string ?? event.guess("content_msgtype").string ?? ""] ?? "New message"
        }
    }

    private static let bodies = [
        "m.image": "Image", "m.video": "Video", "m.audio": "Audio", "m.file": "File", "m.location": "Location",
    ]
}
