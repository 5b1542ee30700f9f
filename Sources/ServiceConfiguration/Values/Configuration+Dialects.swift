package import NotificationModel

extension Configuration {
    package struct APNs: Sendable {
        /// The first that leads to a URL is where a plain payload's media are.
        package var mediaKeys = KeyPathText.commonMediaKeys
    }

    /// What the vendor's SDK lets an app decide; the defaults are the vendor's ("Custom Settings" of its iOS guide).
    package struct TwoMee: Sendable {
        /// `other`: messages of no known kind.
        package static let kinds = ["face", "image", "animation", "video", "text", "other"]

        package enum Images: String, Sendable, CaseIterable { case attached, aside }

        package var category = "appear2meeNotificationCategory"
        package var expiredText = "Sorry, opportunity missed!"
        package var accept = "OK"
        package var dismiss = "Dismiss"
        package var play = "Play"
        /// File names by kind; a kind that is not there has none.
        package var sounds = defaultSounds
        /// By the language's tag in lower case.
        package var languages: [String: TwoMeeLabels] = [:]
        package var images = Images.attached
        package var presentation = TwoMeePresentation()

        static let defaultSounds = Dictionary(
            uniqueKeysWithValues: kinds.map { ($0, $0 == "face" ? "tothepoint.aiff" : "slowspringboard.aiff") })
    }

    /// The payloads that are accepted.
    package struct Payloads: Sendable {
        package var unknown = UnknownPayloadPolicy.pass
    }

    /// The payload to send on.
    package struct Push: Sendable {
        package var says = ForwardedTexts.success
    }

    /// How the permissions of receivers are understood.
    package struct Permissions: Sendable {
        package var unknownNetwork = NetworkKind.cellular
    }

    package struct Matrix: Sendable {
        /// HTTPS. `nil`: media are asked of the server that a reference names.
        package var homeserver: BaseURL?
        /// The homeserver's access token, and nobody else's business.
        package var tokenFile: SecretFile?
    }

    package struct HomeAssistant: Sendable {
        /// What relative URLs are below.
        package var baseURL: BaseURL?
    }
}
