import FoundationEssentials
import NotificationModel

/// The proxy through which media are fetched (`fetch.proxy`), and the hosts that it is not used for.
///
/// The fetcher asks the proxy for a tunnel to each origin (CONNECT, RFC 9110 §9.3.6), for http and for https alike, so
/// that the proxy's responses are never taken for an origin's. The tunnel leads to an address that this machine has
/// judged, unless the proxy resolves names.
package struct EgressProxy: Sendable {
    package var endpoint: ProxyEndpoint
    package var bypass: ProxyBypass
    /// The proxy gets the names of hosts. Their addresses are neither resolved nor judged on this machine.
    package var resolvesNames: Bool

    package init(
        _ endpoint: ProxyEndpoint, bypass: ProxyBypass = ProxyBypass(), resolvesNames: Bool = false
    ) {
        self.endpoint = endpoint
        self.bypass = bypass
        self.resolvesNames = resolvesNames
    }
}

/// The server of a proxy, and how it is connected to. Its address is not judged, as the operator has named it.
package struct ProxyEndpoint: Sendable, Equatable {
    /// The connection to the proxy has TLS.
    package let isSecure: Bool
    /// A name in lower case, or an address without brackets.
    package let host: String
    package let port: UInt16
    /// `user:password`; `nil`: none are sent.
    package let credentials: String?
    /// How the certificate of an https proxy is judged; `nil`: like those of all hosts.
    package let trust: OriginTrust?
    /// `nil` for a name.
    let address: IPAddress?

    package init(
        isSecure: Bool = false, host: String, port: UInt16, credentials: String? = nil, trust: OriginTrust? = nil
    ) {
        self.isSecure = isSecure
        self.host = host
        self.port = port
        self.credentials = credentials
        self.trust = trust
        address = IPAddress(host)
    }

    package var hostAndPort: String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }
    var url: String { "\(isSecure ? "https" : "http")://\(hostAndPort)" }

    /// The headers of each CONNECT. libcurl would decode percent signs in a password that it is given.
    var headerLines: [String] {
        guard let credentials else { return [] }
        return ["Proxy-Authorization: Basic \(Data(credentials.utf8).base64EncodedString())"]
    }

    /// The subject of messages.
    var words: String { "the proxy \(hostAndPort) (fetch.proxy)" }
}

extension MediaFailure {
    /// The failure of a fetch whose host has no address here, although a proxy may know one.
    var ofHostBehindProxy: MediaFailure {
        guard reason == .dnsFailed else { return self }
        return MediaFailure(
            reason, "\(detail); if only the proxy (fetch.proxy) can resolve names, set fetch.proxyResolves: true")
    }

    /// The failure of a fetch whose proxy has a name without addresses.
    func ofName(of proxy: ProxyEndpoint) -> MediaFailure {
        guard reason == .dnsFailed else { return self }
        return MediaFailure(.connectFailed, "the name of \(proxy.words) has no address: \(detail)")
    }
}
