package import NotificationModel

extension Configuration {
    package struct APNs: Sendable {
        /// The key paths to the media of a plain payload. The first path that leads to a URL is used.
        package var mediaKeys = KeyPathText.commonMediaKeys
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
