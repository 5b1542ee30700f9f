import NotificationModel
import WebURL

extension FetchPolicy {
    /// Returns whether the proxy resolves the host of a URL. This machine then neither resolves nor validates its
    /// addresses.
    func leavesNameToProxy(_ url: ValidatedURL) -> Bool {
        guard let proxy, proxy.resolvesNames, url.address == nil else { return false }
        return !proxy.bypass.covers(name: url.host)
    }

    /// Returns the proxy of the requests to a URL; `nil` if the connections are direct.
    ///
    /// - Parameter addresses: the addresses of the host; empty if the proxy resolves its name.
    func proxy(for url: ValidatedURL, at addresses: [IPAddress]) -> ProxyEndpoint? {
        guard let proxy else { return nil }
        let isDirect = url.address == nil && proxy.bypass.covers(name: url.host) || proxy.bypass.covers(addresses)
        return isDirect ? nil : proxy.endpoint
    }

    /// Validates a URL whose host only the proxy resolves. Without an address, no allowed range can exempt it from a
    /// rule.
    ///
    /// - Throws: `forbiddenHost` if the host is an internal name, `forbiddenAddress` if the policy does not allow the
    ///   port.
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
