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

    package struct Matrix: Sendable {
        /// The HTTPS URL of the homeserver; `nil` if media are fetched from the server that a reference names.
        package var homeserver: BaseURL?
        /// The file with the homeserver's access token, which is a secret.
        package var tokenFile: SecretFile?
        /// The paths at which homeservers are asked for files, in this order.
        package var mediaPaths = ["client/v1/media", "media/v3", "_api/media/r0"]
        /// The callers that the push gateway takes.
        package var gateway = MatrixGatewayAccess.token
        /// Further paths of the push gateway.
        package var paths: [String] = []
        /// The rules for the apps whose pushes the gateway takes.
        package var apps = MatrixApps()
    }

    /// The app at Sendios.
    package struct Sendios: Sendable {
        /// The server to which receipts are passed on; `nil` if they are not passed on.
        package var baseURL: BaseURL?
        package var clientID: String?
        /// The file with the client token, which is a secret.
        package var clientTokenFile: SecretFile?
        package var appID: String?
        /// The sender of pushes that name none.
        package var senderID = 2
        /// Whether opt-outs of recipients are passed on.
        package var optOuts = false
    }

    /// The app at Comapi, and the source of the JSON Web Tokens with which it is called.
    package struct Comapi: Sendable {
        /// The server to which statuses of messages are passed on; `nil` if they are not passed on.
        package var baseURL: BaseURL?
        /// The API space of the app.
        package var apiSpace: String?
        /// The URL that returns a token for a nonce; `nil` if tokens are signed with `keyFile`.
        package var tokenURL: BaseURL?
        /// The file with the secret that signs tokens.
        package var keyFile: SecretFile?
        package var issuer: String?
        package var audience: String?
        /// The claim of signed tokens that has the profile.
        package var idClaim = "sub"
    }

    package struct HomeAssistant: Sendable {
        /// The base URL of relative URLs in payloads.
        package var baseURL: BaseURL?
    }
}
