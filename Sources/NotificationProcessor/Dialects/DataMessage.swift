import JSON
import NotificationModel

/// The data of a message to FCM, as senders without a format of their own fill it: the app builds the notification from it.
///
/// No document has these keys. They are those of the public plugins for React Native, Cordova and Flutter, and of their bug
/// reports: `title` beside `body` or `message`, and a picture under one of the media keys.
struct DataMessage {
    private static let bodyKeys = ["body", "message", "text", "alert", "msg"]
    /// Keys under which senders put a string of JSON, since the values of `data` are strings.
    private static let wrappers = ["notification", "data", "payload", "message", "custom", "extra", "body"]

    /// The data, and the objects in it that may have the keys instead.
    private let places: [JSONNode]
    private let mediaKeys: MediaKeys

    init(_ data: JSONNode, _ mediaKeys: MediaKeys) {
        self.mediaKeys = mediaKeys
        let wrapped = Self.wrappers.lazy.map { data.unrecorded[$0].unpacked }.first { $0.object != nil }
        places = [data] + [wrapped].compactMap(\.self)
    }

    var text: NotificationText { places.map(Self.text).reduce(NotificationText()) { $0.over($1) } }

    var textPlace: TextPlace {
        let place = (places.first { !Self.text(of: $0).isEmpty } ?? places[0]).unrecorded
        return .lines(of: place, subtitle: "subtitle", body: Self.body(of: place) ?? "body")
    }

    /// The pictures, which the app shows only at absolute URLs.
    func media(platform: PushPlatform? = nil) -> [MediaReference] {
        places.lazy.compactMap { mediaKeys.find(in: $0, platform: platform, urlsOnly: true)?.media }.first ?? []
    }

    /// The keys of texts are the sender's own, so that none of them is missing.
    private static func text(of recorded: JSONNode) -> NotificationText {
        let data = recorded.unrecorded
        return NotificationText(
            title: data["title"].text, subtitle: data["subtitle"].text, body: body(of: data).flatMap { data[$0].text })
    }

    private static func body(of data: JSONNode) -> String? {
        bodyKeys.first { data[$0].text != nil && data[$0].embedded.object == nil }
    }
}

extension PushPayload {
    /// Takes the texts of the data if the message has no text for any platform. Apple's system shows nothing of them, and
    /// wakes the app for a silent push.
    mutating func takeTexts(of data: DataMessage) {
        guard successText.isBlank, localization.isEmpty, platformTexts.values.allSatisfy(\.isBlank), !data.text.isEmpty
        else { return }
        if isSilent { platformTexts[.android] = data.text } else { successText = data.text }
        textPlaces.append(data.textPlace)
    }
}
