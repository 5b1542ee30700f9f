import Base
import NotificationModel

/// The dialect of Rocket.Chat. The message is a string of JSON in `ejson`, beside `aps` or in the data of a message to
/// FCM.
///
/// Members are those that the vendor's app reads (Rocket.Chat.ReactNative, `Ejson.java` and `Payload.swift`). With
/// `message-id-only` the app fetches the text itself.
struct RocketChatDialect: MarkedDialect {
    let id: DialectID = "rocketchat"
    var marks: [[String]] { [["ejson"]] }

    static func mark(of data: JSONNode) -> String? { data["ejson"].unpacked.object == nil ? nil : "ejson" }

    func read(_ data: JSONNode, into reading: inout PushPayload) {
        let message = data["ejson"].unpacked
        if reading.lacksText { reading.say(in: data, body: "message") }
        reading.providerID = message["messageId"].identifier
        reading.media =
            [MediaReference(webURL: message["image"]), MediaReference(webURL: data["image"], role: .icon)]
            .compactMap(\.self) + reading.media
        reading.aps.threadIdentifier = message["rid"].text ?? reading.aps.threadIdentifier
        for key in ["host", "type", "notificationType"] { reading.details.append(key, text: message[key].text) }
        reading.details.append("sender", text: message["sender"]["username"].text)
    }
}
