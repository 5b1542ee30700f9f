import Base
import NotificationModel

/// The dialect of Batch. A push has Batch's keys in `com.batch`, with at most one attachment. A request is a call of
/// Batch's Transactional API.
///
/// The keys in `com.batch` have a few letters each. These keys are those of three public SDKs. The sources for iOS are
/// `BAPushPayload` and the extension `RichNotificationHelper`. The sources for Android are `InternalPushData.java` and
/// `Batch.java`, and the source for the web is its interface of payloads. The request is that of doc.batch.com,
/// "Transactional API, Send". The names in its `media` are from a third party's client.
struct BatchDialect: Dialect {
    let id: DialectID = "batch"
    var marks: [[String]] { [["com.batch"], ["message", "recipients"]] }

    func detect(_ payload: PayloadLayout) -> String? {
        if payload["com.batch"] != nil { return "com.batch" }
        if Self.android(payload.message) != nil { return "message.data.com.batch" }
        return Self.isRequest(payload.root) ? "message+recipients" : nil
    }

    /// Returns the data of a push for Android in a message to FCM.
    private static func android(_ message: JSONNode?) -> JSONNode? {
        guard let data = message?["data"], data["com.batch"].exists else { return nil }
        return data
    }

    private static func isRequest(_ payload: JSONNode) -> Bool {
        payload["message"].object != nil && payload["recipients"].object != nil
    }

    func read(_ payload: JSONNode) -> PushPayload {
        if !payload["com.batch"].exists, Self.isRequest(payload) { return Self.request(payload) }
        let data = payload["com.batch"].exists ? payload : Self.android(FCMDialect.message(of: payload)) ?? payload
        var reading = PushPayload(around: data, in: payload)
        // FCM delivers all values as strings. The object may therefore be a string of JSON.
        let message = data["com.batch"].unpacked
        if data["aps"].object == nil {
            reading.say(in: data, body: data["msg"].text == nil ? "alert" : "msg")
        }
        reading.providerID = message["i"].identifier
        let type = message["at"]["t"].text.map { DeclaredMediaType.mimeType($0) }
        let attachment = MediaReference(
            message["at"]["u"], declaredType: type, claims: [MediaClaim.type(message["at"]["t"])])
        reading.media += [attachment].compactMap(\.self) + Self.images(of: message)
        // The app identifies a button by its text.
        reading.actions = (message["a"].elements + message["aa"].elements).compactMap {
            NotificationAction($0, identifier: "l", title: "l")
        }
        reading.link(to: message["l"])
        return reading
    }

    /// Returns the images for Android (`bp`, `bi`), then the images for the web.
    private static func images(of message: JSONNode) -> [MediaReference] {
        [
            MediaReference(message["bp"]["u"]), MediaReference(message["bi"]["u"], role: .icon),
            MediaReference(message["imu"]), MediaReference(message["icu"], role: .icon),
            MediaReference(message["siu"], role: .badge),
        ].compactMap(\.self)
            + message["aa"].elements.compactMap { MediaReference($0["i"], role: .actionIcon) }
    }

    /// Reads a request. The request names no platform, because its app key belongs to one platform.
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
