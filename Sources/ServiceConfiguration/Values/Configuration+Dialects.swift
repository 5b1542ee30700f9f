package import NotificationModel

extension Configuration {
    package struct APNs: Sendable {
        /// The key paths to the media of a plain payload. The first path that leads to a URL is used.
        package var mediaKeys = KeyPathText.commonMediaKeys
    }

    /// The settings that the vendor's SDK offers to an app. The defaults are the values of the vendor ("Custom
    /// Settings" of its iOS guide).
    package struct TwoMee: Sendable {
        /// The kinds of messages. Messages of an unknown kind are `other`.
        package static let kinds = ["face", "image", "animation", "video", "text", "other"]

        package enum Images: String, Sendable, CaseIterable { case attached, aside }

        package var category = "appear2meeNotificationCategory"
        package var expiredText = "Sorry, opportunity missed!"
        package var accept = "OK"
        package var dismiss = "Dismiss"
        package var play = "Play"
        /// The file name for each kind; a kind that is missing has no sound.
        package var sounds = defaultSounds
        /// The texts for each language. The key is the language tag in lower case.
        package var languages: [String: TwoMeeLabels] = [:]
        package var images = Images.attached
        package var presentation = TwoMeePresentation()

        static let defaultSounds = Dictionary(
            uniqueKeysWithValues: kinds.map { ($0, $0 == "face" ? "tothepoint.aiff" : "slowspringboard.aiff") })
    }

    /// The handling of payloads that no dialect recognises.
    package struct Payloads: Sendable {
        package var unknown = UnknownPayloadPolicy.pass
    }

    /// The payload that is forwarded.
    package struct Push: Sendable {
        package var says = ForwardedTexts.success
    }

    /// The network that is assumed for a receiver if its request names no network.
    package struct Permissions: Sendable {
        package var unknownNetwork = NetworkKind.cellular
    }

    package struct Matrix: Sendable {
        /// The HTTPS URL of the homeserver; `nil` if media are fetched from the server that a reference names.
        package var homeserver: BaseURL?
        /// The file with the homeserver's access token, which is a secret.
        package var tokenFile: SecretFile?
    }

    package struct HomeAssistant: Sendable {
        /// The base URL of relative URLs in payloads.
        package var baseURL: BaseURL?
    }
}
