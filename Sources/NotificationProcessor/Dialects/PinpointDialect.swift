import Base
import NotificationModel

/// The dialect of Amazon Pinpoint. A push has `data.pinpoint` beside `aps`, or keys that begin with `pinpoint.` in
/// Android's data. A request is a call of Pinpoint's API, SendMessages.
///
/// Keys are those of amplify-swift (`PinpointNotificationPayload`), aws-sdk-ios (`AWSPinpointNotificationManager.m`),
/// Amplify Android (`PushNotificationsConstants`) and aws-sdk-android (`NotificationClientBase`). The request's keys
/// are those of the API reference (`APNSMessage`, `GCMMessage`, `DefaultPushNotificationMessage`).
struct PinpointDialect: Dialect {
    let id: DialectID = "pinpoint"
    var marks: [[String]] { [["MessageConfiguration"]] }

    private static let request = "MessageConfiguration"

    func detect(_ payload: PayloadLayout) -> String? {
        let root = payload.root
        if root["data"]["pinpoint"].object != nil { return "data.pinpoint" }
        return payload.find(Self.mark)?.rule ?? (root[Self.request].object == nil ? nil : Self.request)
    }

    private static func mark(of data: JSONNode) -> String? {
        data.object?.members.contains { $0.key.hasPrefix("pinpoint.") } == true ? "pinpoint.*" : nil
    }

    func read(_ payload: JSONNode) -> PushPayload {
        if payload["data"]["pinpoint"].object != nil { return Self.push(payload) }
        if let data = AndroidData.find(in: payload, Self.mark)?.data { return Self.android(data, in: payload) }
        return payload[Self.request].object == nil ? Self.push(payload) : Self.request(payload[Self.request])
    }

    private static func push(_ payload: JSONNode) -> PushPayload {
        var reading = PushPayload(aps: APSReader(payload))
        let pinpoint = payload["data"]["pinpoint"]
        reading.media = [MediaReference(payload["data"]["media-url"])].compactMap(\.self)
        reading.providerID =
            pinpoint["campaign"]["campaign_id"].identifier ?? pinpoint["journey"]["journey_id"].identifier
        reading.link(to: pinpoint["deeplink"])
        return reading
    }

    private static func android(_ data: JSONNode, in payload: JSONNode) -> PushPayload {
        var reading = PushPayload(around: data, in: payload)
        let notification = "pinpoint.notification."
        reading.say(in: data, title: notification + "title", body: notification + "body")
        reading.media = [
            MediaReference(data[notification + "imageUrl"]),
            MediaReference(data[notification + "imageIconUrl"], role: .icon),
            MediaReference(data[notification + "imageSmallIconUrl"], role: .icon),
        ].compactMap(\.self)
        reading.isSilent = data[notification + "silentPush"].looseInteger == 1
        reading.providerID =
            data["pinpoint.campaign.campaign_id"].identifier ?? data["pinpoint.journey.journey_id"].identifier
        reading.link(to: data["pinpoint.deeplink"], data["pinpoint.url"])
        return reading
    }

    private static func request(_ message: JSONNode) -> PushPayload {
        let (common, ios, android) = (
            message["DefaultPushNotificationMessage"], message["APNSMessage"], message["GCMMessage"]
        )
        func text(_ node: JSONNode) -> NotificationText {
            NotificationText(title: node["Title"].text, body: node["Body"].text)
        }
        var reading = PushPayload()
        reading.say(
            text(common), [.apns: text(ios), .android: text(android)],
            at: [common, ios, android].map { .lines(of: $0, title: "Title", body: "Body") })
        reading.media = [
            MediaReference(ios["MediaUrl"], platform: .apns), MediaReference(android["ImageUrl"], platform: .android),
            MediaReference(android["ImageIconUrl"], role: .icon, platform: .android),
            MediaReference(android["SmallImageIconUrl"], role: .icon, platform: .android),
        ].compactMap(\.self)
        reading.link(to: ios["Url"], android["Url"], common["Url"])
        return reading
    }
}
