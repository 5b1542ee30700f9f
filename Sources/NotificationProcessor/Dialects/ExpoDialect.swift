package import JSON
package import NotificationModel

/// Expo: `richContent` as the sender writes it, or in `body`, which is the sender's `data` once it is on APNs.
///
/// `url` in that data as the deep link is from the vendor's documentation (`expo-notifications`, "Handling push
/// notifications with React Navigation").
package struct ExpoDialect: Dialect {
    package let id: DialectID = "expo"

    package init() {}

    package func detect(_ payload: JSONObject) -> String? {
        if payload["richContent"]?.object != nil { return "richContent" }
        return payload["body"]["_richContent"]?.object == nil ? nil : "body._richContent"
    }

    package func read(_ payload: JSONNode) -> PushPayload {
        var reading = PushPayload(aps: APSReader(payload))
        // A message that never was on APNs has its text at the top.
        reading.successText = reading.successText.over(NotificationText(payload))
        reading.textPlaces.append(.lines(of: payload, subtitle: "subtitle"))
        let places = [payload["richContent"]["image"], payload["body"]["_richContent"]["image"]]
        reading.media = places.lazy.compactMap { MediaReference($0) }.prefix(1).map(\.self)
        if let link = payload["body"]["url"].text ?? payload["data"]["url"].text {
            reading.details.append("link", .string(link))
        }
        return reading
    }
}
