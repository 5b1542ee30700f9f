package import JSON
package import NotificationModel

/// Batch: everything of its own in `com.batch`, which has one attachment at most, or the request of its Transactional API.
///
/// The keys in it, each a few letters, are those of the public iOS SDK (`BAPushPayload`) and its extension
/// (`RichNotificationHelper`), of the Android SDK (`InternalPushData.java`, `Batch.java`) and of the web SDK (its
/// interface of payloads). The request is that of doc.batch.com, "Transactional API, Send"; the names in its `media` are
/// from a third party's client.
package struct BatchDialect: Dialect {
    package let id: DialectID = "batch"
    package var marks: [[String]] { [["com.batch"], ["message", "recipients"]] }

    package init() {}

    package func detect(_ payload: JSONObject) -> String? {
        if payload["com.batch"] != nil { return "com.batch" }
        let root = JSONNode(payload)
        if Self.android(root) != nil { return "message.data.com.batch" }
        return Self.isRequest(root) ? "message+recipients" : nil
    }

    /// The data of a push for Android in a message to FCM.
    private static func android(_ payload: JSONNode) -> JSONNode? {
        guard let data = FCMDialect.message(of: payload)?["data"], data["com.batch"].exists else { return nil }
        return data
    }

    private static func isRequest(_ payload: JSONNode) -> Bool {
        payload["message"].object != nil && payload["recipients"].object != nil
    }

    package func read(_ payload: JSONNode) -> PushPayload {
        if !payload["com.batch"].exists, Self.isRequest(payload) { return Self.request(payload) }
        let data = payload["com.batch"].exists ? payload : Self.android(payload) ?? payload
        var reading = PushPayload(around: data, in: payload)
        // Through FCM, whose values are all strings, it comes as one.
        let message = data["com.batch"].unpacked
        if data["aps"].object == nil {
            let body = data["msg"].text == nil ? "alert" : "msg"
            reading.say(
                NotificationText(title: data["title"].text, body: data[body].text),
                at: .lines(of: data, body: body))
        }
        reading.providerID = message["i"].identifier
        let type = message["at"]["t"].text.map { DeclaredMediaType.mimeType($0) }
        if var medium = MediaReference(message["at"]["u"], declaredType: type) {
            medium.claims = [MediaClaim.type(message["at"]["t"])].compactMap(\.self)
            reading.media.append(medium)
        }
        reading.media += Self.pictures(of: message)
        // A button is known by its text.
        reading.actions = (message["a"].elements + message["aa"].elements).compactMap {
            NotificationAction($0, identifier: "l", title: "l")
        }
        reading.link(to: message["l"])
        return reading
    }

    /// The pictures of Android (`bp`, `bi`), then the pictures of the web.
    private static func pictures(of message: JSONNode) -> [MediaReference] {
        [
            MediaReference(message["bp"]["u"]), MediaReference(message["bi"]["u"], role: .icon),
            MediaReference(message["imu"]), MediaReference(message["icu"], role: .icon),
            MediaReference(message["siu"], role: .badge),
        ].compactMap(\.self)
            + message["aa"].elements.compactMap { MediaReference($0["i"], role: .actionIcon) }
    }

    /// The key of an app, which is of one platform, decides who gets it.
    private static func request(_ payload: JSONNode) -> PushPayload {
        var reading = PushPayload()
        let message = payload["message"]
        reading.successText = NotificationText(title: message["title"].text, body: message["body"].text)
        reading.textPlaces = [.lines(of: message)]
        reading.media = [
            MediaReference(payload["media"]["picture"]), MediaReference(payload["media"]["icon"], role: .icon),
        ].compactMap(\.self)
        reading.link(to: payload["deeplink"])
        return reading
    }
}
