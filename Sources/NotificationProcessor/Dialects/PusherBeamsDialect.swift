import Base
import NotificationModel

/// The dialect of Pusher Beams. A request is a call of its publish API, with one payload for each platform. A push is
/// the payload that its service worker receives.
///
/// The request is that of the vendor's reference ("Publish API", "Publish payloads"). Its `apns` is a whole payload of
/// APNs, `fcm` is a message to FCM's legacy API, and `web` is a notification. The push is that of
/// pusher/push-notifications-web. The vendor has no image in `apns`; senders put one beside `aps` under a key that they
/// choose. FCM's part has `image`.
struct PusherBeamsDialect: Dialect {
    let id: DialectID = "pusher-beams"
    var marks: [[String]] { [["interests", "apns"], ["interests", "fcm"], ["interests", "web"]] }
    /// The paths of media in `apns`.
    var mediaKeys = MediaKeys.common

    func detect(_ payload: PayloadLayout) -> String? {
        guard payload["aps"] == nil else { return nil }
        if payload["data"]?["pusher"]?.object != nil, payload["notification"]?.object != nil {
            return "data.pusher+notification"
        }
        guard let recipients = ["interests", "users"].first(where: { payload[$0]?.array != nil }),
            let platform = ["apns", "fcm", "web"].first(where: { payload[$0]?.object != nil })
        else { return nil }
        return "\(recipients)+\(platform)"
    }

    func read(_ payload: JSONNode) -> PushPayload {
        let isPush = payload["data"]["pusher"].object != nil
        let web = isPush ? payload["notification"] : payload["web"]["notification"]
        var reading = isPush ? PushPayload() : PushPayload(aps: APSReader(payload["apns"]))
        let fcm = payload["fcm"]["notification"]
        let (apple, applePlace) = (reading.alert, reading.textPlaces)
        reading.say(
            NotificationText(),
            [
                .apns: apple, .android: NotificationText(title: fcm["title"].text, body: fcm["body"].text),
                .webpush: NotificationText(title: web["title"].text, body: web["body"].text),
            ],
            at: (isPush ? [] : applePlace + [.lines(of: fcm)]) + [.lines(of: web)])
        reading.media =
            (mediaKeys.find(in: payload["apns"], platform: .apns, urlsOnly: true)?.media ?? [])
            + [
                MediaReference(fcm["image"], platform: .android),
                MediaReference(web["icon"], role: .icon, platform: isPush ? nil : .webpush),
            ].compactMap(\.self)
        reading.link(to: web["deep_link"])
        return reading
    }
}
