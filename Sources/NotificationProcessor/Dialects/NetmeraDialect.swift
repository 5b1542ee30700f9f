import Base
import NotificationModel

/// The dialect of Netmera. The payload is a request to its REST API, with a message for several platforms. The payload
/// that a phone receives is not public.
///
/// Keys are those of the vendor's developer guide, "REST API, Notifications" and "Rich media and click actions". The
/// guide has the keys in `message`, but at the top in its examples of carousels.
struct NetmeraDialect: Dialect {
    let id: DialectID = "netmera"
    var marks: [[String]] { [["target", "platforms", "text"]] }

    func detect(_ payload: PayloadLayout) -> String? {
        guard payload["target"] != nil, payload["aps"] == nil else { return nil }
        if payload["message"]?["platforms"]?.array != nil { return "message.platforms" }
        return payload["platforms"]?.array != nil && payload["text"]?.string != nil ? "platforms+text" : nil
    }

    func read(_ payload: JSONNode) -> PushPayload {
        // If the keys are at the top, `message` is a text.
        let isNested = payload.object?["message"]?.object != nil
        let message = isNested ? payload["message"] : payload
        let (ios, android) = (message["ios"], message["android"])
        var reading = PushPayload()
        reading.say(
            NotificationText(body: message["text"].text),
            [
                .apns: NotificationText(title: ios["title"].text, subtitle: ios["subtitle"].text),
                .android: NotificationText(title: android["title"].text, subtitle: android["subtitle"].text),
            ],
            at: [
                .lines(title: nil, subtitle: nil, body: message["text"].path),
                .lines(title: ios["title"].path, subtitle: ios["subtitle"].path, body: nil),
                .lines(title: android["title"].path, subtitle: android["subtitle"].path, body: nil),
            ])
        // The message's own title is the campaign's name. A platform's own title takes precedence.
        reading.successText = reading.successText.over(NotificationText(title: message["title"].text))
        reading.media =
            [
                MediaReference(ios["mediaUrl"], platform: .apns),
                MediaReference(ios["thumbnailUrl"], role: .thumbnail, platform: .apns),
                MediaReference(android["mediaUrl"], platform: .android),
                MediaReference(android["thumbnailUrl"], role: .icon, platform: .android),
                MediaReference(message["wpChromeImage"], platform: .webpush),
                MediaReference(message["iconUrl"], role: .icon, platform: .webpush),
            ].compactMap(\.self) + Self.cards(ios, .apns) + Self.cards(android, .android)
        reading.aps.threadIdentifier = message["threadId"].text
        reading.aps.badge = message["params"]["_nm_badge_count"].looseInteger
        reading.link(to: message["click"]["url"], message["click"]["deeplink"])
        return reading
    }

    /// Returns the images of a carousel or a slider.
    private static func cards(_ node: JSONNode, _ platform: PushPlatform) -> [MediaReference] {
        ["carousel", "slider"].flatMap { node[$0].elements }.compactMap {
            MediaReference($0["itemImageUrl"], platform: platform)
        }
    }
}
