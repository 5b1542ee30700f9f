extension ConfigurationSection {
    static let auth = ConfigurationSection(
        name: "auth",
        meaning:
            "The callers of the HTTP API over TCP, as described in [Listen for other machines](listen.md). The unix socket checks the user of the process instead.",
        keys: [
            ConfigurationKey(
                "auth.required", \.auth.required, .choice, reloadable: false,
                "`remote`: callers need a token on addresses that other machines can reach, and none on loopback addresses. `always`: callers need a token on all TCP addresses."
            ),
            ConfigurationKey(
                "auth.tokens", \.auth.tokens, formatIn: { .staticTokens(of: $0.appGroup) }, reloadable: true,
                "The [bearer tokens](listen.md#tokens), which are kept as digests."),
            ConfigurationKey(
                "auth.issuers", \.auth.issuers, .tokenIssuers, reloadable: true,
                "The [issuers of JSON Web Tokens](listen.md#json-web-tokens) whose tokens are accepted."),
        ])

    static let tls = ConfigurationSection(
        name: "tls",
        meaning:
            "HTTPS on the TCP address. The files are read again every minute, so that a renewed certificate needs no restart.",
        keys: [
            ConfigurationKey(
                "tls.certificateFile", \.tls.certificateFile, .orNone(.pemFile), reloadable: false,
                "A file with the certificate chain in PEM, which begins with the certificate of the daemon. `none`: the daemon serves HTTP without TLS."
            ),
            ConfigurationKey(
                "tls.keyFile", \.tls.keyFile, .orNone(.privateFile), reloadable: false,
                "A file with the private key in PEM. Other users must not be able to read the file."),
            ConfigurationKey(
                "tls.clientCAFile", \.tls.clientCAFile, .orNone(.pemFile), reloadable: false,
                "A file with certificates in PEM. Each client must present a certificate that one of them has signed. `none`: clients need no certificate."
            ),
        ])

    static let http = ConfigurationSection(
        name: "http", meaning: "The listeners of the HTTP API.",
        keys: [
            ConfigurationKey(
                "http.metricsListen", \.http.metricsListen, .orNone(.listenAddress), reloadable: false,
                "A further TCP address that serves only `/metrics`, `/healthz` and `/readyz`, without TLS and without authentication."
            ),
            ConfigurationKey(
                "http.trustedProxies", \.http.trustedProxies, .list(of: "addresses and ranges", .addressRange),
                reloadable: false,
                "The proxies in front of the daemon. The log shows the address of the client that they name in `Forwarded` or `X-Forwarded-For`. The same fields of other callers have no effect."
            ),
        ])
}
