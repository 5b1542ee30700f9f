import NotificationModel

/// How one host's certificate is judged, in addition to the authorities that all hosts are judged by.
package struct OriginTrust: Sendable, Equatable {
    /// PEM certificates of further authorities, or the host's own; `nil`: none.
    package var caFile: String?
    /// `sha256//` and the Base64 digest of a public key (SubjectPublicKeyInfo): the certificate has one of these keys, and
    /// is trusted by that when no further authority is named. Empty: any key.
    package var pins: [String]

    package init(caFile: String? = nil, pins: [String] = []) {
        self.caFile = caFile
        self.pins = pins
    }

    /// As libcurl takes them; `nil`: there are none.
    var pinText: String? { pins.isEmpty ? nil : pins.joined(separator: ";") }
}

/// The trust of single hosts.
package struct OriginTrusts: Sendable {
    /// By host as `ValidatedURL.host` has it.
    private let trusts: [String: OriginTrust]

    package init(_ trusts: [String: OriginTrust] = [:]) {
        self.trusts = Dictionary(trusts.map { (OriginHeaders.key($0), $1) }) { first, _ in first }
    }

    /// Whether a host must show a key: it is not fetched from without TLS.
    func isPinned(_ host: String) -> Bool { trusts[host].map { !$0.pins.isEmpty } ?? false }

    /// - Returns: `nil` for a host that is judged like all others.
    func trust(in url: ValidatedURL) -> OriginTrust? {
        trusts.isEmpty || !url.isSecure ? nil : trusts[url.host]
    }
}
