/// The settings of a resolver: its name servers, its timeouts and the limits of its cache.
package struct ResolverSettings: Sendable, Equatable {
    /// The name servers in the order in which they are asked, each `address:port`, `[address]:port` or an address. If
    /// the list is empty, each query reads the name servers from /etc/resolv.conf.
    package var nameservers: [String] = []
    /// The time that one server has for one answer, 1 ms to 60 s. The time doubles with each round through the servers.
    package var queryTimeout: Duration = .seconds(2)
    /// The number of rounds through the servers, 1 to 10. By default, an unanswered name fails after 6 s per server.
    package var tries = 2
    /// The maximum number of names that are resolved at a time, each with one socket for each asked server.
    package var questions = 256
    /// The maximum number of names in the cache, which stores both addresses and failures.
    package var cacheLimit = 1_024
    /// The upper limit of a TTL: a longer TTL of a name server is reduced to this value.
    package var longestTTL: Duration = .seconds(60)

    package init() {}
}
