import Base
import FoundationEssentials
import NotificationModel

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
        let application = application(of: device)
        detail.append("appId", text: application)
        detail.append("pushKey", text: device["pushkey"].text)
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
            detail.append(name, text: places.lazy.compactMap(\.text).first)
        }
        for key in ["data", "tweaks"] {
            if let object = device[key].object, !object.isEmpty { detail.append(key, .object(object)) }
        }
        return detail
    }

    /// Returns the ID of the app, under the name of the specification or of SDN's SDK.
    static func application(of device: JSONNode) -> String? { device["app_id"].text ?? device.guess("appId").text }

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

/// The numbers of unread messages and missed calls (Push Gateway API, `counts`).
///
/// If a platform has no numbers, a gateway sends them as strings of digits. If a gateway sends only the IDs of the
/// event, it sends the unread messages as `unread_count`. In a message to FCM the numbers are flat, beside the members
/// of the event.
struct MatrixCounts {
    private static let keys = [("unread", "unread"), ("missedCalls", "missed_calls")]

    private let event: JSONNode

    init(_ event: JSONNode) { self.event = event }

    var badge: Int? { Self.count(event["counts"]["unread"]) }

    var flatBadge: Int? { Self.count(event["unread_count"]) ?? Self.count(event.guess("unread")) }

    var details: JSONObject {
        var details = JSONObject()
        for (name, key) in Self.keys {
            if let count = Self.count(event["counts"][key]) ?? Self.count(event.guess(key)) {
                details.append(name, .number(JSONNumber(count)))
            }
        }
        return details
    }

    /// Returns the first of the flat keys that has a number; `nil` if none has one.
    static func flatKey(in data: JSONNode) -> String? { keys.map(\.1).first { count(data.guess($0)) != nil } }

    var problems: [PayloadProblem] {
        let counts = event["counts"]
        if !Self.isMissing(counts), counts.object == nil {
            return [
                PayloadProblem(
                    "matrix-count", counts, "the counts are not an object",
                    fix: "Write an object, such as {\"unread\": 2}")
            ]
        }
        let places = Self.keys.map { counts[$0.1] } + [event["unread_count"]]
        return places.filter { !Self.isMissing($0) && Self.count($0) == nil }.map {
            PayloadProblem("matrix-count", $0, "the count is not a whole number of 0 or more", fix: "Write a number")
        }
    }

    private static func isMissing(_ node: JSONNode) -> Bool { (node.value ?? .null) == .null }

    private static func count(_ node: JSONNode) -> Int? { node.looseInteger.flatMap { $0 < 0 ? nil : $0 } }
}
