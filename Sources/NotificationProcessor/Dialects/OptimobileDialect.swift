package import JSON
package import NotificationModel

/// Optimove's Optimobile, formerly Kumulos: `k.message` in `custom.a`, which is a string of JSON in Android's data.
///
/// Keys are those of the public SDKs: Optimove-SDK-iOS (`PushNotification.swift`), KumulosSdkSwift
/// (`KumulosNotificationService.swift`) and Optimove-SDK-Android (`HmsMessageHandler.java`). They complete a picture that is
/// a path alone with a host that the app's configuration decides.
package struct OptimobileDialect: MarkedDialect {
    package let id: DialectID = "optimobile"
    package var marks: [[String]] { [["custom", "attachments"]] }

    package init() {}

    package static func mark(of data: JSONNode) -> String? {
        data["custom"].unpacked["a"]["k.message"].object == nil ? nil : "custom.a.k.message"
    }

    package func read(_ data: JSONNode, into reading: inout PushPayload) {
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
    }
}
