import Base
import Digests
package import HTTPCaching
package import NotificationModel

/// The policy of all fetches: the allowed hosts and addresses, and the limits of size and time.
///
/// For each hop, a fetch validates the URL before the host is resolved, and all addresses before a connection is made.
/// The fetch then requests the URL that the validation returned. No other text of a payload or an origin is used.
package struct FetchPolicy: Sendable {
    package var addresses = AddressPolicy()
    package var hosts = HostAllowlist()
    /// The allowed schemes, in lower case.
    package var schemes = ["https", "http"]
    package var headers = OriginHeaders()
    /// A PEM file of the trusted authorities; `nil` if the authorities of the system are trusted.
    package var caFile: String?
    /// The egress proxy; `nil` if connections are direct.
    package var proxy: EgressProxy?
    /// The server that answers in place of the origins; `nil` outside of the laboratory.
    package var hostStub: HostStub?
    /// The CA certificates and pinned keys of single hosts.
    package var trusts = OriginTrusts()
    package var limits = FetchLimits()
    package var resolver = ResolverSettings()
    /// Whether each transfer has a `TransferRecord`, so that requests can be recorded.
    package var recordsTransfers = false
    package var caching = CachingPolicy(defaultFreshness: ResponseCacheLimits.standardFreshness.seconds)

    package init() {}
}

/// The verification of one host's certificate, in addition to the authorities for all hosts.
package struct OriginTrust: Sendable, Equatable {
    /// A PEM file of further authorities, or of the host's own certificate; `nil` if there is no such file.
    package var caFile: String?
    /// The pinned public keys: `sha256//` and the Base64 digest of a public key (SubjectPublicKeyInfo). The certificate
    /// must have one of these keys. If no further authority is named, the key alone makes the certificate trusted. If
    /// the list is empty, any key is accepted.
    package var pins: [String]

    package init(caFile: String? = nil, pins: [String] = []) {
        self.caFile = caFile
        self.pins = pins
    }

    /// The pins in the form of libcurl; `nil` if there are no pins.
    var pinText: String? { pins.isEmpty ? nil : pins.joined(separator: ";") }
}

/// The additional trust of single hosts, by host.
package struct OriginTrusts: Sendable {
    /// The trust by host, with keys in the form of `ValidatedURL.host`.
    private let trusts: [String: OriginTrust]

    package init(_ trusts: [String: OriginTrust] = [:]) {
        self.trusts = Dictionary(trusts.map { (OriginHeaders.key($0), $1) }) { first, _ in first }
    }

    /// Returns whether a host has a pinned key. Such a host is fetched only over TLS.
    func isPinned(_ host: String) -> Bool { trusts[host].map { !$0.pins.isEmpty } ?? false }

    /// Returns the additional trust of a URL's host; `nil` if the host has no additional trust.
    func trust(in url: ValidatedURL) -> OriginTrust? { trusts.isEmpty || !url.isSecure ? nil : trusts[url.host] }
}

extension FetchPolicy {
    /// Returns the HTTP cache over a store, with the settings and the cache keys of this policy for an app group.
    package func exchange(over store: any ResponseStoring, for group: AppGroupName? = nil) -> CachingExchange {
        CachingExchange(
            store: store, policy: caching,
            keyOfOther: { _, url in
                guard let target = try? validate(url) else { return url }
                return cacheKey(of: target, for: group)
            })
    }

    /// Returns the URL with a digest of the credentials that its host receives. A response that was fetched with one
    /// token must not answer a request with another.
    package func cacheKey(of target: ValidatedURL, for group: AppGroupName? = nil) -> String {
        let fields = headers.fields(for: target, for: group)
        guard !fields.isEmpty else { return target.text }
        return target.text + " " + Hexadecimal.text(of: SHA256.hash(Array(fields.joined(separator: "\n").utf8)))
    }
}

/// A server on this machine that answers in place of all origins, for the laboratory.
///
/// Names are resolved, and URLs and addresses are validated, as for any other fetch. Only the socket connects to another
/// place. Certificates are verified for the name in the URL.
package struct HostStub: Sendable {
    /// Returns the port on 127.0.0.1 that answers for a host.
    let port: @Sendable (_ host: String) -> UInt16

    package init(port: @escaping @Sendable (_ host: String) -> UInt16) { self.port = port }
}
