package import JSON
package import NotificationModel

/// The dialect of Rocket.Chat. The message is a string of JSON in `ejson`, beside `aps` or in the data of a message to
/// FCM.
///
/// Members are those that the vendor's app reads (Rocket.Chat.ReactNative, `Ejson.java` and `Payload.swift`). With
/// `message-id-only` the app fetches the text itself.
package struct RocketChatDialect: MarkedDialect {
    package let id: DialectID = "rocketchat"
    package var marks: [[String]] { [["ejson"]] }

    package init() {}

    package static func mark(of data: JSONNode) -> String? {
        data["ejson"].unpacked.object == nil ? nil : "ejson"
    }

    package func read(_ data: JSONNode, into reading: inout PushPayload) {
        let message = data["ejson"].unpacked
        if reading.lacksText {
            reading.say(
                NotificationText(title: data["title"].text, body: data["message"].text),
                at: .lines(of: data, body: "message"))
        }
        reading.providerID = message["messageId"].identifier
        reading.media =
            [MediaReference(webURL: message["image"]), MediaReference(webURL: data["image"], role: .icon)]
            .compactMap(\.self) + reading.media
        reading.aps.threadIdentifier = message["rid"].text ?? reading.aps.threadIdentifier
        for (name, key) in [("host", "host"), ("type", "type"), ("notificationType", "notificationType")] {
            if let text = message[key].text { reading.details.append(name, .string(text)) }
        }
        if let sender = message["sender"]["username"].text { reading.details.append("sender", .string(sender)) }
    }
}
