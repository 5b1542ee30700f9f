import Base
import NotificationModel

/// The dialect of gorush, a push gateway. The payload is a request to gorush with several notifications, each for one
/// platform.
///
/// Keys are those of appleboy/gorush's `README.md`, "Request body". Apple's part has no image. gorush puts the members
/// of `data` beside `aps`, where senders have an image under a key that they choose.
struct GorushDialect: Dialect {
    let id: DialectID = "gorush"
    var marks: [[String]] { [["notifications"]] }
    /// The paths of media in the `data` of a notification for Apple's platforms.
    var mediaKeys = MediaKeys.common

    func detect(_ payload: PayloadLayout) -> String? {
        let isRequest = payload.root["notifications"].elements.contains {
            $0["platform"].integer != nil && ($0["tokens"].array != nil || $0["topic"].string != nil)
        }
        return isRequest ? "notifications[].platform" : nil
    }

    /// Reads the first notification for each platform, and ignores later ones.
    func read(_ payload: JSONNode) -> PushPayload {
        let notifications = payload["notifications"].elements
        func first(_ platform: Int) -> JSONNode {
            notifications.first { $0["platform"].integer == platform } ?? JSONNode(JSONValue?.none)
        }
        let (ios, android) = (first(1), first(2))
        var reading = PushPayload()
        func message(_ notification: JSONNode) -> NotificationText {
            NotificationText(title: notification["title"].text, body: notification["message"].text)
        }
        reading.say(
            NotificationText(),
            [.apns: NotificationText(ios["alert"]).over(message(ios)), .android: message(android)],
            at: [(ios, nil), (ios["alert"], "subtitle"), (android, nil)].filter { $0.0.exists }.map {
                .lines(of: $0.0, subtitle: $0.1, body: $0.1 == nil ? "message" : "body")
            })
        reading.media =
            (ios["data"].object == nil
                ? [] : mediaKeys.find(in: ios["data"], platform: .apns, urlsOnly: true)?.media ?? [])
            + [MediaReference(android["image"], platform: .android)].compactMap(\.self)
        reading.providerID = ios["notif_id"].identifier ?? android["notif_id"].identifier
        reading.aps.badge = ios["badge"].integer
        reading.aps.category = ios["category"].text
        reading.aps.sound = ios["sound"].text.map { NotificationSound(name: $0) }
        reading.aps.mutableContent = ios["mutable_content"].isSet
        reading.aps.hasVisibleAlert = !reading.alert.isBlank
        return reading
    }
}
