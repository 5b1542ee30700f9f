package import NotificationModel

/// Targets of purges in the form that the keys of the cache have.
extension PurgeTarget {
    /// Reads URLs whatever may be fetched: what is stored may come from another configuration.
    private static let anything: FetchPolicy = {
        var policy = FetchPolicy()
        policy.addresses = AddressPolicy(allowed: ["0.0.0.0/0", "::/0"].compactMap { AddressRange($0) })
        return policy
    }()

    /// Returns a URL in the form in which it is requested; a text that is none as it stands.
    package static func canonicalURL(_ text: String) -> String { (try? anything.validate(text))?.text ?? text }

    /// Returns the target with its URL, its host or its prefix in the form in which they are requested.
    ///
    /// - Throws: `invalid-url` for a host that is none, and a prefix without a host.
    package func canonical() throws(MediaFailure) -> PurgeTarget {
        switch self {
        case .url(let url): return .url(Self.canonicalURL(url))
        case .host(let host):
            let parts = host.split(separator: ":", omittingEmptySubsequences: false)
            if parts.count == 2, UInt16(parts[1]) != nil {
                throw MediaFailure(
                    .invalidURL, "a host is purged on all of its ports: write \(VisibleText.of(String(parts[0])))")
            }
            let isBare = host.contains(":") && !host.hasPrefix("[")
            return .host(try StrictHost(isBare ? "[\(host)]" : host).text)
        case .prefix(let prefix):
            guard Self.host(of: prefix) != nil, prefix.split(separator: "/", omittingEmptySubsequences: false).count > 3
            else {
                throw MediaFailure(
                    .invalidURL, "the prefix has no slash after its host: write it as https://cdn.example/")
            }
            return .prefix(Self.canonicalURL(prefix))
        }
    }
}
