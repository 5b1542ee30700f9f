import Base
import NotificationModel

/// The dialect of the Parse Platform. The payload is the request that sends a push, with its recipients beside `data`.
///
/// Members of `data` are those of "Sending Options" in the platform's guides. Senders also put an image into `data`
/// under a key that they choose. On an iPhone this key is beside `aps` (parse-server-push-adapter, `APNS.js`).
struct ParseDialect: Dialect {
    let id: DialectID = "parse"
    var marks: [[String]] { [["where", "data"], ["channels", "data"]] }

    /// The paths of media in `data`.
    var mediaKeys = MediaKeys.common

    func detect(_ payload: PayloadLayout) -> String? {
        guard payload.object.members.lazy.map(\.key).allSatisfy({ Self.members.contains($0) || $0.hasPrefix("_") }),
            Self.isPush(payload.root["data"])
        else { return nil }
        if payload["where"]?.object != nil { return "where+data" }
        let channels = payload["channels"]?.array ?? []
        return !channels.isEmpty && channels.allSatisfy { $0.string != nil } ? "channels+data" : nil
    }

    /// Members of a request that sends a push. The platform's SDKs add their own keys, each of which begins with `_`.
    private static let members: Set<String> = [
        "where", "channels", "data", "push_time", "expiration_time", "expiration_interval", "expiration_time_interval",
        "type",
    ]

    /// Returns whether `data` has one of the guides' options, with a value of the documented type. Programs for
    /// databases also have `where` beside `data`.
    private static func isPush(_ data: JSONNode) -> Bool {
        let (alert, badge) = (data["alert"], data["badge"])
        return alert.text != nil || alert.object?.isEmpty == false || badge.integer != nil
            || badge.string == "Increment" || badge["__op"].string == "Increment" || data["content-available"].isSet
    }

    func read(_ payload: JSONNode) -> PushPayload {
        let data = payload["data"]
        var reading = PushPayload(aps: APSReader(aps: data))
        reading.say(title: data["title"])
        reading.media = mediaKeys.find(in: data, urlsOnly: true)?.media ?? []
        reading.link(to: data["uri"])
        return reading
    }
}
