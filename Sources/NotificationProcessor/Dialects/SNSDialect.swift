import Base
import NotificationModel

/// The dialect of Amazon SNS. The payload is the message of a Publish request whose `MessageStructure` is `json`. The
/// message has a payload for each platform, each as a string of JSON.
///
/// Members are those of the Developer Guide, "Publishing Amazon SNS notifications with platform-specific payloads".
/// `APNS` is the payload for APNs. `GCM` is a message to FCM's HTTP v1 API in `fcmV1Message`, or a message to its
/// legacy API. `default` is the text for platforms without a member. The vendor has no image in Apple's part; senders
/// put one beside `aps` under a key that they choose.
struct SNSDialect: Dialect {
    let id: DialectID = "sns"
    var marks: [[String]] { [["APNS"], ["GCM"]] }
    /// The paths of media in Apple's part.
    var mediaKeys = MediaKeys.common

    private static let apple = ["APNS", "APNS_SANDBOX"]
    private static let google = "GCM"

    func detect(_ payload: PayloadLayout) -> String? {
        (Self.apple + [Self.google]).first { payload[$0]?.string != nil && payload.root[$0].embedded.object != nil }
    }

    func read(_ payload: JSONNode) -> PushPayload {
        let parts = Self.apple.map { payload[$0].embedded }
        let (apple, google) = (parts.first { $0.object != nil } ?? parts[0], payload[Self.google].embedded)
        var reading = PushPayload(aps: APSReader(apple))
        let (alert, alertPlace) = (reading.alert, reading.textPlaces)
        let message = message(google)
        reading.say(
            NotificationText(),
            [
                .apns: alert, .android: message.successText,
                .webpush: message.platformTexts[.webpush] ?? NotificationText(),
            ],
            at: alertPlace + message.textPlaces)
        reading.media = (mediaKeys.find(in: apple, platform: .apns, urlsOnly: true)?.media ?? []) + message.media
        reading.details = message.details
        if google.object == nil, let text = payload["default"].text {
            reading.platformTexts[.android] = NotificationText(body: text)
            reading.textPlaces.append(.lines(title: nil, subtitle: nil, body: payload["default"].path))
        }
        return reading
    }

    /// Returns the message to FCM, with its text and its image as Android shows them.
    private func message(_ part: JSONNode) -> PushPayload {
        let message = part["fcmV1Message"]["message"]
        let isLegacy = message.object == nil
        var reading = isLegacy ? PushPayload(legacyFCM: part) : PushPayload(fcm: message)
        let data = DataMessage((isLegacy ? part : message)["data"], mediaKeys)
        reading.takeTexts(of: data)
        if isLegacy {
            reading.media = [MediaReference(part["notification"]["image"], platform: .android)].compactMap(\.self)
        }
        if reading.media.isEmpty { reading.media = data.media(platform: .android) }
        if isLegacy { return reading }
        reading.successText = (reading.platformTexts[.android] ?? NotificationText()).over(reading.successText)
        for index in reading.media.indices where reading.media[index].platform == .any {
            reading.media[index].platform = .android
        }
        return reading
    }
}
