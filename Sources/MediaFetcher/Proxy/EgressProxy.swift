import FoundationEssentials
import NotificationModel
import WebURL

/// The proxy for fetches (`fetch.proxy`), and the hosts for which it is not used.
///
/// The fetcher asks the proxy for a tunnel to each origin (CONNECT, RFC 9110 §9.3.6), for http and for https. A
/// response of the proxy can therefore not be mistaken for a response of the origin. The tunnel leads to an address
/// that this machine has validated, unless the proxy resolves names.
package struct EgressProxy: Sendable {
    package var endpoint: ProxyEndpoint
    package var bypass: ProxyBypass
    /// Whether the proxy resolves the names of hosts. Their addresses are then neither resolved nor validated on this
    /// machine.
    package var resolvesNames: Bool

    package init(
        _ endpoint: ProxyEndpoint, bypass: ProxyBypass = ProxyBypass(), resolvesNames: Bool = false
    ) {
        self.endpoint = endpoint
        self.bypass = bypass
        self.resolvesNames = resolvesNames
    }
}

/// The server of a proxy, with the settings of the connection to it. Its address is not validated, because the operator
/// configures it.
package struct ProxyEndpoint: Sendable, Equatable {
    /// Whether the connection to the proxy uses TLS.
    package let isSecure: Bool
    /// The host: a name in lower case, or an address without brackets.
    package let host: String
    package let port: UInt16
    /// The credentials, as `user:password`; `nil` if no credentials are sent.
    package let credentials: String?
    /// The additional verification of an https proxy's certificate; `nil` if it is verified like the certificate of any
    /// host.
    package let trust: OriginTrust?
    /// The address of the proxy; `nil` if `host` is a name.
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

    package var hostAndPort: String { HostAndPort.text(host, port) }
    var url: String { "\(isSecure ? "https" : "http")://\(hostAndPort)" }

    /// The header lines of each CONNECT. The lines are set directly, because libcurl would decode percent signs in a
    /// password option.
    var headerLines: [String] {
        guard let credentials else { return [] }
        return ["Proxy-Authorization: Basic \(Data(credentials.utf8).base64EncodedString())"]
    }

    /// The name of the proxy in messages.
    var words: String { "the proxy \(hostAndPort) (fetch.proxy)" }
}

extension MediaFailure {
    /// The failure of a fetch whose host has no address here, with a hint that a proxy may resolve it.
    var ofHostBehindProxy: MediaFailure {
        guard reason == .dnsFailed else { return self }
        return MediaFailure(
            reason, "\(detail); if only the proxy (fetch.proxy) can resolve names, set fetch.proxyResolves: true")
    }

    /// Returns the failure of a fetch whose proxy has a name without addresses.
    func ofName(of proxy: ProxyEndpoint) -> MediaFailure {
        guard reason == .dnsFailed else { return self }
        return MediaFailure(.connectFailed, "the name of \(proxy.words) has no address: \(detail)")
    }
}
