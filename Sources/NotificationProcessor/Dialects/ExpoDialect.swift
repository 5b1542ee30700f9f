import Base
import NotificationModel

/// The dialect of Expo. `richContent` is at the top, as the sender writes it, or in `body`. APNs delivers the sender's
/// `data` in `body`.
///
/// The source of `url` in that data as the deep link is the vendor's documentation (`expo-notifications`, "Handling
/// push notifications with React Navigation"). The token in `to` is that of a message to the vendor's push service
/// ("Send notifications with the Expo Push Service"). The service also takes an array of messages, each of which is a
/// payload here.
struct ExpoDialect: APSDialect {
    let id: DialectID = "expo"
    var marks: [[String]] { [["richContent"]] }

    func detect(_ payload: PayloadLayout) -> String? {
        if payload["richContent"]?.object != nil { return "richContent" }
        if payload["body"]["_richContent"]?.object != nil { return "body._richContent" }
        return Self.isForToken(payload.root) ? "to=ExponentPushToken" : nil
    }

    /// Returns whether a text is a token of the vendor's service.
    static func isToken(_ text: String) -> Bool {
        ["ExponentPushToken[", "ExpoPushToken["].contains { text.hasPrefix($0) }
    }

    private static func isForToken(_ payload: JSONNode) -> Bool {
        guard payload["aps"].object == nil else { return false }
        let recipients = payload["to"].string == nil ? payload["to"].elements : [payload["to"]]
        return recipients.first?.text.map(isToken) ?? false
    }

    func read(_ payload: JSONNode, into reading: inout PushPayload) {
        // A message that was not sent through APNs has its text at the top.
        reading.successText = reading.successText.over(NotificationText(payload))
        reading.textPlaces.append(.lines(of: payload, subtitle: "subtitle"))
        if Self.isForToken(payload) {
            reading.aps.badge = payload["badge"].integer
            reading.aps.sound = payload["sound"].text.map { NotificationSound(name: $0) }
            reading.aps.category = payload["categoryId"].text
            reading.aps.mutableContent = payload["mutableContent"].isSet
            reading.aps.hasVisibleAlert = !reading.successText.isBlank
        }
        let places = [payload["richContent"]["image"], payload["body"]["_richContent"]["image"]]
        reading.media = places.lazy.compactMap { MediaReference($0) }.prefix(1).map(\.self)
        reading.details.append("link", text: payload["body"]["url"].text ?? payload["data"]["url"].text)
    }
}
