import Base
package import NotificationModel

/// The conversion of purge targets to the form of the cache keys.
extension PurgeTarget {
    /// A policy that allows all addresses, because stored responses may come from another configuration.
    private static let anything: FetchPolicy = {
        var policy = FetchPolicy()
        policy.addresses = AddressPolicy(allowed: ["0.0.0.0/0", "::/0"].compactMap { AddressRange($0) })
        return policy
    }()

    /// Returns a URL in the form in which it is requested; the unchanged text if it is no valid URL.
    package static func canonicalURL(_ text: String) -> String { (try? anything.validate(text))?.text ?? text }

    /// Returns the target with its URL, host or prefix in the form in which it is requested. Throws `invalid-url` for a
    /// malformed host, and for a prefix without a host or with a fragment.
    package func canonical() throws(MediaFailure) -> PurgeTarget {
        switch self {
        case .url(let url): return .url(Self.canonicalURL(url))
        case .host(let host):
            let place = HostAndPort(host)
            // The text after the first colon of an IPv6 address without brackets has a further colon.
            if let port = place.port, !port.utf8.contains(UInt8(ascii: ":")) {
                throw MediaFailure(
                    .invalidURL, "a host is purged on all of its ports: write \(VisibleText.of(String(place.host)))")
            }
            return .host(try WebHost.parse(host.hasPrefix("[") ? host : HostAndPort.bracketed(host)).text)
        case .prefix(let prefix):
            let reference = URIReference(prefix)
            guard Self.host(of: prefix) != nil, !reference.path.isEmpty else {
                throw MediaFailure(
                    .invalidURL, "the prefix has no slash after its host: write it as https://cdn.example/")
            }
            guard reference.fragment == nil else {
                throw MediaFailure(.invalidURL, "the prefix has a #: remove the # and the text after it")
            }
            // At the end of a URL, libcurl removes an empty query and resolves dot segments, so the prefix would select
            // more URLs. The letter after the prefix prevents this.
            return .prefix(String(Substring(Self.canonicalURL(prefix + "x").utf8.dropLast())))
        }
    }
}
