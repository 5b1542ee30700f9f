package import JSON
package import NotificationModel

/// Optimove's Optimobile, formerly Kumulos: `k.message` in `custom.a`, which is a string of JSON in Android's data.
///
/// Keys are those of the public SDKs: Optimove-SDK-iOS (`PushNotification.swift`), KumulosSdkSwift
/// (`KumulosNotificationService.swift`) and Optimove-SDK-Android (`HmsMessageHandler.java`). They complete a picture that is
/// a path alone with a host that the app's configuration decides.
package struct OptimobileDialect: Dialect {
    package let id: DialectID = "optimobile"

    package init() {}

    package func detect(_ payload: JSONObject) -> String? { Self.place(in: JSONNode(payload))?.rule }

    private static func place(in payload: JSONNode) -> (data: JSONNode, rule: String)? {
        AndroidData.find(in: payload) { data in
            data["custom"].unpacked["a"]["k.message"].object == nil ? nil : "custom.a.k.message"
        }
    }

    package func read(_ payload: JSONNode) -> PushPayload {
        let data = Self.place(in: payload)?.data ?? payload
        var reading = PushPayload(around: data, in: payload)
        let custom = data["custom"].unpacked
        if data["aps"].object == nil {
            reading.say(
                NotificationText(title: data["title"].text, body: data["alert"].text),
                at: .lines(of: data, body: "alert"))
        }
        reading.media += [MediaReference(data["attachments"]["pictureUrl"]), MediaReference(data["bicon"])]
            .compactMap(\.self)
        reading.providerID = custom["a"]["k.message"]["data"]["id"].identifier
        reading.actions = custom["a"]["k.buttons"].elements.compactMap {
            NotificationAction($0, identifier: "id", title: "text")
        }
        reading.link(to: custom["u"])
        return reading
    }
}
