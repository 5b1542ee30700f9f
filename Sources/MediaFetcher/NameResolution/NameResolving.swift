package import Base
package import NotificationModel

/// A resolver of host names. If the calling task is cancelled, `resolve` throws at once.
package protocol NameResolving: Sendable {
    /// Resolves a host name to its addresses. The name is absolute and in the ASCII form of DNS, with or without the
    /// final dot. Throws `dns-failed` with the report of the name servers, `overloaded` or `cancelled`.
    func resolve(_ host: String) async throws(MediaFailure) -> ResolvedHost

    /// Returns the cached failure of a host; `nil` if the next call of `resolve` asks the name servers.
    func rememberedFailure(of host: String) async -> RememberedFailure?
}

extension NameResolving {
    /// Returns `nil`, for resolvers that cache no failures.
    package func rememberedFailure(of host: String) async -> RememberedFailure? { nil }
}

/// A cached failure, which `resolve` throws again without asking the name servers.
package struct RememberedFailure: Sendable, Equatable {
    /// The time since the name servers were asked.
    package var age: Duration
    /// The time until the failure expires.
    package var cooldown: Duration
}

/// The addresses that a host name currently has.
package struct ResolvedHost: Sendable, Equatable {
    /// The addresses in the order in which a client tries them: at least one, and no duplicates.
    package var addresses: [IPAddress]
    /// The time for which the addresses may still be used.
    package var ttl: Duration
    /// Whether the addresses come from the cache, without a query.
    package var wasCached: Bool

    package init(addresses: [IPAddress], ttl: Duration, wasCached: Bool) {
        self.addresses = addresses
        self.ttl = ttl
        self.wasCached = wasCached
    }
}

extension MediaFailure {
    /// The name server answered NXDOMAIN.
    package static let noSuchName = MediaFailure(.dnsFailed, "the name of the host does not exist")
    static let resolverClosed = MediaFailure(.cancelled, "the name resolver was shut down")
    static let tooManyNames = MediaFailure(.overloaded, "too many names are being resolved; the name servers are slow")
    static let noHostName = MediaFailure(
        .dnsFailed, "the host of the URL is not a name for DNS: use letters, digits, hyphens and dots")
}

/// The address of a name server: `192.0.2.1`, `192.0.2.1:5353`, `2001:db8::1` or `[2001:db8::1]:5353`.
package struct NameServerAddress: Sendable, Equatable {
    package let address: IPAddress
    /// The port; 53 if the text has none.
    package let port: UInt16
    /// The address and the port, in the form that c-ares reads.
    let text: String

    package init?(_ written: String) {
        if let address = IPAddress(written) {
            (self.address, port) = (address, 53)
        } else {
            let place = HostAndPort(written)
            guard let port = place.portNumber, port > 0,
                let address = IPAddress(bracketed: place.host) ?? IPAddress(String(place.host))
            else { return nil }
            (self.address, self.port) = (address, port)
        }
        text = "\(address.textInURL):\(port)"
    }
}
