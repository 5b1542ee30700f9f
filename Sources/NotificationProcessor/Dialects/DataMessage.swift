import Base
import NotificationModel

/// The data of a message to FCM from a sender that has no separate payload format. The app builds the notification from
/// this data.
///
/// No document defines the keys. The keys are those of the public plugins for React Native, Cordova and Flutter, and of
/// their bug reports. `title` is beside `body` or `message`, and an image is under one of the media keys.
struct DataMessage {
    private static let bodyKeys = ["body", "message", "text", "alert", "msg"]
    /// Keys under which senders put a string of JSON, because the values of `data` are strings.
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

    /// Returns the images of the first object that has any. The app shows images only from absolute URLs.
    func media(platform: PushPlatform? = nil) -> [MediaReference] {
        places.lazy.compactMap { mediaKeys.find(in: $0, platform: platform, urlsOnly: true)?.media }.first ?? []
    }

    /// Returns the texts. Each sender has its own keys, so an absent key is no mistake, and lookups are not recorded.
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
    /// Takes the texts of the data if the message has no text for any platform. For a silent push, these texts are the
    /// texts for Android, because Apple's system wakes the app for such a push and shows nothing.
    mutating func takeTexts(of data: DataMessage) {
        guard hasNoText, !data.text.isEmpty else { return }
        if isSilent { platformTexts[.android] = data.text } else { successText = data.text }
        textPlaces.append(data.textPlace)
    }
}
