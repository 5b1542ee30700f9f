import Base
import NotificationModel

/// The dialect of Optimove's Optimobile, formerly Kumulos. A push has `k.message` in `custom.a`. In Android's data
/// `custom` is a string of JSON.
///
/// Keys are those of the public SDKs: Optimove-SDK-iOS (`PushNotification.swift`), KumulosSdkSwift
/// (`KumulosNotificationService.swift`) and Optimove-SDK-Android (`HmsMessageHandler.java`). If an image is only a
/// path, the SDKs complete it with a host from the app's configuration.
struct OptimobileDialect: MarkedDialect {
    let id: DialectID = "optimobile"
    var marks: [[String]] { [["custom", "attachments"]] }

    static func mark(of data: JSONNode) -> String? {
        data["custom"].unpacked["a"]["k.message"].object == nil ? nil : "custom.a.k.message"
    }

    func read(_ data: JSONNode, into reading: inout PushPayload) {
        let custom = data["custom"].unpacked
        if data["aps"].object == nil { reading.say(in: data, body: "alert") }
        reading.media += [MediaReference(data["attachments"]["pictureUrl"]), MediaReference(data["bicon"])]
            .compactMap(\.self)
        reading.providerID = custom["a"]["k.message"]["data"]["id"].identifier
        reading.actions = custom["a"]["k.buttons"].actions(identifier: "id", title: "text")
        reading.link(to: custom["u"])
    }
}
