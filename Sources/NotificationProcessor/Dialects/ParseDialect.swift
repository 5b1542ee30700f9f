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
        guard payload["aps"] == nil, let data = payload["data"]?.object,
            ["alert", "badge", "content-available"].contains(where: { data[$0] != nil })
        else { return nil }
        if payload["where"]?.object != nil { return "where+data" }
        return payload["channels"]?.array != nil ? "channels+data" : nil
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
