import Base
import FoundationEssentials
import NotificationModel

/// The proxy for fetches (`fetch.proxy`), and the hosts for which it is not used.
///
/// The fetcher asks the proxy for a tunnel to each origin (CONNECT, RFC 9110 §9.3.6), for http and for https. A
/// response of the proxy can therefore not be mistaken for a response of the origin. The tunnel leads to an address
/// that this machine has validated, unless the proxy resolves names.
package struct EgressProxy: Sendable {
    package var endpoint: ProxyEndpoint
    package var bypass: ProxyBypass
    /// Whether the proxy resolves the names of hosts, whose addresses are then not validated on this machine.
    package var resolvesNames: Bool

    package init(_ endpoint: ProxyEndpoint, bypass: ProxyBypass = ProxyBypass(), resolvesNames: Bool = false) {
        self.endpoint = endpoint
        self.bypass = bypass
        self.resolvesNames = resolvesNames
    }
}

/// The server of a proxy, with the settings of its connection. The operator configures its address without a check.
package struct ProxyEndpoint: Sendable, Equatable {
    /// Whether the connection to the proxy uses TLS.
    package let isSecure: Bool
    /// The host: a name in lower case, or an address without brackets.
    package let host: String
    package let port: UInt16
    /// The credentials, as `user:password`; `nil` if no credentials are sent.
    package let credentials: String?
    /// The additional verification of an https proxy's certificate; `nil` if it is verified like any other.
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

    /// The header lines of each CONNECT, because libcurl would decode percent signs in a password option.
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

/// The hosts for which the proxy is not used (`fetch.noProxy`).
package struct ProxyBypass: Sendable {
    private struct Domain {
        /// The name of the domain in lower case, without a leading dot.
        var name: String
        /// Whether the host with this name is covered, and not only the names below it.
        var includesHost: Bool

        func covers(_ host: String) -> Bool {
            guard host.hasSuffix(name) else { return false }
            guard host.utf8.count > name.utf8.count else { return includesHost }
            return host.utf8.dropLast(name.utf8.count).last == UInt8(ascii: ".")
        }
    }

    private let domains: [Domain]
    private let ranges: [AddressRange]

    /// Creates a list of names, addresses and ranges. `example.com` covers the host and all names below it, as in
    /// `no_proxy` of other programs. `.example.com` and `*.example.com` cover only the names below it. An address or a
    /// range covers a host if it contains all its addresses.
    package init(_ entries: [String] = []) {
        ranges = entries.compactMap { AddressRange($0) }
        domains = entries.filter { AddressRange($0) == nil }.map { entry in
            let name = HostAllowlist.normal(entry)
            guard let dot = name.firstIndex(of: "."), name[..<dot].isEmpty || name[..<dot] == "*" else {
                return Domain(name: name, includesHost: true)
            }
            return Domain(name: String(name[name.index(after: dot)...]), includesHost: false)
        }
    }

    /// Returns whether the list covers a name, given in lower case.
    func covers(name host: String) -> Bool { domains.contains { $0.covers(host) } }

    /// Returns whether all addresses are in the ranges of the list.
    func covers(_ addresses: some Collection<IPAddress>) -> Bool {
        !ranges.isEmpty && !addresses.isEmpty
            && addresses.allSatisfy { address in ranges.contains { $0.contains(address) } }
    }
}

extension FetchPolicy {
    /// Returns whether the proxy resolves the host of a URL, whose addresses are then not validated here.
    func leavesNameToProxy(_ url: ValidatedURL) -> Bool {
        guard let proxy, proxy.resolvesNames, url.address == nil else { return false }
        return !proxy.bypass.covers(name: url.host)
    }

    /// Returns the proxy of the requests to a URL; `nil` if the connections are direct. The list of addresses of the
    /// host is empty if the proxy resolves its name.
    func proxy(for url: ValidatedURL, at addresses: [IPAddress]) -> ProxyEndpoint? {
        guard let proxy else { return nil }
        let isDirect = url.address == nil && proxy.bypass.covers(name: url.host) || proxy.bypass.covers(addresses)
        return isDirect ? nil : proxy.endpoint
    }

    /// Validates a URL whose host only the proxy resolves. Without an address, no allowed range can exempt it from a
    /// rule. Throws `forbiddenHost` if the host is an internal name, and `forbiddenAddress` if the policy does not
    /// allow the port.
    func validateWithoutAddress(_ url: ValidatedURL) throws(MediaFailure) {
        guard !url.isInside else {
            throw MediaFailure(
                .forbiddenHost,
                "the name is for internal networks, and the proxy resolves it (fetch.proxyResolves): list the host in fetch.allowHosts or fetch.noProxy"
            )
        }
        guard addresses.ports.contains(url.port) else {
            throw MediaFailure(
                .forbiddenAddress,
                "port \(url.port) is not in fetch.allowPorts, and the proxy resolves the host (fetch.proxyResolves)")
        }
    }
}
