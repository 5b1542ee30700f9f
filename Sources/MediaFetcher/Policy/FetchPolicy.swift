package import HTTPCaching
package import NameResolution
import NotificationModel

/// Who may be fetched, and how much of it for how long.
///
/// A fetch asks it twice for each hop: for the URL before anything is resolved, and for all addresses of its host before
/// any is connected to. The URL that comes back is the one to request; nothing else of what a payload or an origin
/// wrote is used.
package struct FetchPolicy: Sendable {
    package var addresses = AddressPolicy()
    package var hosts = HostAllowlist()
    /// Lower case.
    package var schemes = ["https", "http"]
    package var headers = OriginHeaders()
    /// PEM certificates of the authorities that are trusted; `nil`: the system's.
    package var caFile: String?
    /// `nil`: hosts are connected to directly.
    package var proxy: EgressProxy?
    /// Further trust of single hosts.
    package var trusts = OriginTrusts()
    package var limits = FetchLimits()
    package var resolver = ResolverSettings()
    package var caching = CachingPolicy(defaultFreshness: 60)

    package init() {}
}

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

/// Header fields for origins that want to see a token, by host.
///
/// They go over https only, or to an address of the operator's own that is written into the URL: a payload that names
/// the host with http must not make us say the token aloud.
package struct OriginHeaders: Sendable {
    /// `Name: value` by host in lower case.
    private let fields: [String: [String]]

    package init(_ fields: [String: [(name: String, value: String)]] = [:]) {
        self.fields = Dictionary(
            fields.map { (Self.key($0), $1.map { "\($0.name): \($0.value)" }) }, uniquingKeysWith: +)
    }

    /// What a request to this host carries.
    ///
    /// - Parameter host: as `ValidatedURL.host` has it.
    package func fields(for url: ValidatedURL) -> [String] {
        guard let fields = fields[url.host] else { return [] }
        let isOwnAddress = url.address.map { !AddressPolicy.isPublic($0) } ?? false
        return url.isSecure || isOwnAddress ? fields : []
    }

    /// As `ValidatedURL.host` has it.
    static func key(_ host: String) -> String {
        let host = HostAllowlist.normal(host)
        return IPAddress(host)?.text ?? host
    }
}
