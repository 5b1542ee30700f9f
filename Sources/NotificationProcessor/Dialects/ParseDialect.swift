package import JSON
package import NotificationModel

/// Parse Platform: the request that sends a push, with its receivers beside `data`.
///
/// Members of `data` are those of "Sending Options" in the platform's guides; beside them senders put a picture under a key
/// of their own, which is beside `aps` on an iPhone (parse-server-push-adapter, `APNS.js`).
package struct ParseDialect: Dialect {
    package let id: DialectID = "parse"
    package var marks: [[String]] { [["where", "data"], ["channels", "data"]] }

    private let mediaKeys: MediaKeys

    /// - Parameter mediaKeys: where in `data` the media are.
    package init(mediaKeys: [KeyPathText] = KeyPathText.commonMediaKeys) { self.mediaKeys = MediaKeys(mediaKeys) }

    package func detect(_ payload: JSONObject) -> String? {
        guard payload.keys.allSatisfy({ Self.members.contains($0) || $0.hasPrefix("_") }),
            Self.isPush(JSONNode(payload)["data"])
        else { return nil }
        if payload["where"]?.object != nil { return "where+data" }
        let channels = payload["channels"]?.array ?? []
        return !channels.isEmpty && channels.allSatisfy { $0.string != nil } ? "channels+data" : nil
    }

    /// Members of a request that sends a push. The platform's SDKs put their keys beside them, each after a `_`.
    private static let members: Set<String> = [
        "where", "channels", "data", "push_time", "expiration_time", "expiration_interval", "expiration_time_interval",
        "type",
    ]

    /// Whether `data` has one of the guides' options, with a value as they have it. Programs for databases have `where` beside
    /// `data`, too.
    private static func isPush(_ data: JSONNode) -> Bool {
        let (alert, badge) = (data["alert"], data["badge"])
        return alert.text != nil || alert.object?.isEmpty == false || badge.integer != nil
            || badge.string == "Increment" || badge["__op"].string == "Increment" || data["content-available"].isSet
    }

    package func read(_ payload: JSONNode) -> PushPayload {
        let data = payload["data"]
        var reading = PushPayload(aps: APSReader(aps: data))
        reading.say(
            NotificationText(title: data["title"].text), at: .lines(title: data["title"].path, subtitle: nil, body: nil)
        )
        reading.media = mediaKeys.find(in: data, urlsOnly: true)?.media ?? []
        reading.link(to: data["uri"])
        return reading
    }
}
