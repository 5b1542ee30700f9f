package import Authentication

extension Configuration {
    /// The authentication of callers over TCP. The unix socket checks the user of the process instead.
    package struct Auth: Sendable {
        /// The addresses whose callers need a token.
        package enum Required: String, Sendable, CaseIterable {
            /// The addresses that other machines can reach. Loopback addresses need no token.
            case remote
            /// All TCP addresses, for example because a proxy on this machine passes calls on.
            case always
        }

        package var required = Required.remote
        package var tokens: [StaticToken] = []
        package var issuers: [TokenIssuer] = []

        /// A sentence about each key of an issuer that verifies no token.
        package var warnings: [String] {
            issuers.flatMap { issuer in issuer.keys.ignored.map { "\(QuotedText.path(issuer.keys.path)): \($0)" } }
        }
    }

    /// The certificate with which the daemon serves HTTPS.
    package struct TLS: Sendable {
        /// A file with the certificate chain in PEM; `nil` if the daemon serves HTTP without TLS.
        package var certificateFile: String?
        /// A file with the private key in PEM.
        package var keyFile: String?
        /// A file with the certificates in PEM that sign the certificates of clients; `nil` if clients need none.
        package var clientCAFile: String?
    }

    /// The listeners of the HTTP API.
    package struct HTTP: Sendable {
        /// The address of a listener that serves only metrics and health checks, without authentication.
        package var metricsListen: ListenAddress?
        /// The addresses of proxies whose `Forwarded` and `X-Forwarded-For` are believed (`AddressRange`).
        package var trustedProxies: [String] = []
    }
}
