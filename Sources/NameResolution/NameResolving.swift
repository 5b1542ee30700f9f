package import NotificationModel
package import WebURL

/// A resolver of host names. If the calling task is cancelled, `resolve` throws at once.
package protocol NameResolving: Sendable {
    /// Resolves a host name to its addresses.
    ///
    /// - Parameter host: a name in the ASCII form of DNS. It is absolute, with or without the final dot.
    /// - Throws: `dns-failed` with the report of the name servers, `overloaded` or `cancelled`.
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
    package var rest: Duration

    package init(age: Duration, rest: Duration) {
        self.age = age
        self.rest = rest
    }
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

/// The settings of a resolver: its name servers, its timeouts and the limits of its cache.
package struct ResolverSettings: Sendable, Equatable {
    /// The name servers in the order in which they are asked, each `address:port`, `[address]:port` or an address. If
    /// the list is empty, each query reads the name servers from /etc/resolv.conf.
    package var nameservers: [String] = []
    /// The time that one server has for one answer, 1 ms to 60 s. It doubles with each round through the servers.
    package var queryTimeout: Duration = .seconds(2)
    /// The number of rounds through the servers, 1 to 10. With the default values, a name that no server answers fails
    /// after 6 s per server.
    package var tries = 2
    /// The maximum number of names that are resolved at a time. Each has one socket for each server that was asked.
    package var questions = 256
    /// The maximum number of names in the cache, which stores both addresses and failures.
    package var cacheLimit = 1_024
    /// The upper limit of a TTL: a longer TTL of a name server is reduced to this.
    package var longestTTL: Duration = .seconds(60)

    package init() {}
}

extension MediaFailure {
    /// The name server answered NXDOMAIN.
    package static let noSuchName = MediaFailure(.dnsFailed, "the name of the host does not exist")
    static let resolverClosed = MediaFailure(.cancelled, "the name resolver was shut down")
    static let tooManyNames = MediaFailure(.overloaded, "too many names are being resolved; the name servers are slow")
    static let noHostName = MediaFailure(
        .dnsFailed, "the host of the URL is not a name for DNS: use letters, digits, hyphens and dots")
}
