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

    private let data: JSONNode
    private let mediaKeys: MediaKeys

    init(_ recorded: JSONNode, _ mediaKeys: MediaKeys) {
        self.mediaKeys = mediaKeys
        // The keys of texts are the sender's own, so that none of them is missing.
        let data = recorded.unrecorded
        let wrapped = Self.wrappers.lazy.map { data[$0].unpacked }
            .first { $0.object != nil && Self.body(of: $0) != nil }
        self.data = Self.text(of: data).isBlank ? wrapped ?? recorded : recorded
    }

    var text: NotificationText { Self.text(of: data.unrecorded) }

    var textPlace: TextPlace { .lines(of: data, subtitle: "subtitle", body: Self.body(of: data.unrecorded) ?? "body") }

    /// The pictures, which the app shows only at absolute URLs.
    func media(platform: PushPlatform? = nil) -> [MediaReference] {
        mediaKeys.find(in: data, platform: platform, urlsOnly: true)?.media ?? []
    }

    private static func text(of data: JSONNode) -> NotificationText {
        NotificationText(
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
