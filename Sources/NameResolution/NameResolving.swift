package import NotificationModel

/// Finds the addresses of hosts. Cancelling the calling task leaves at once.
package protocol NameResolving: Sendable {
    /// - Parameter host: a name in the ASCII form that DNS knows, absolute with or without the final dot.
    /// - Throws: `dns-failed` with what the name servers said, `overloaded`, `cancelled`.
    func resolve(_ host: String) async throws(MediaFailure) -> ResolvedHost

    /// Returns the failure that is remembered of a host; `nil` if the next call of `resolve` asks the name servers.
    func rememberedFailure(of host: String) async -> RememberedFailure?
}

extension NameResolving {
    /// Nothing is remembered.
    package func rememberedFailure(of host: String) async -> RememberedFailure? { nil }
}

/// A failed answer that is given again without asking the name servers.
package struct RememberedFailure: Sendable, Equatable {
    /// The time since the name servers were asked.
    package var age: Duration
    /// The time for which the answer is still given.
    package var rest: Duration

    package init(age: Duration, rest: Duration) {
        self.age = age
        self.rest = rest
    }
}

/// The addresses of a name, at the moment.
package struct ResolvedHost: Sendable, Equatable {
    /// In the order in which to try them. Never empty, no address twice.
    package var addresses: [IPAddress]
    /// For how much longer this may be believed.
    package var ttl: Duration
    /// Nobody was asked for it.
    package var wasCached: Bool

    package init(addresses: [IPAddress], ttl: Duration, wasCached: Bool) {
        self.addresses = addresses
        self.ttl = ttl
        self.wasCached = wasCached
    }
}

/// Whom to ask, how long, and how much of it to remember.
package struct ResolverSettings: Sendable, Equatable {
    /// `address:port`, `[address]:port` or an address, in the order in which they are asked. Empty: those of
    /// /etc/resolv.conf, as it is at each question.
    package var nameservers: [String] = []
    /// One server's time for one answer, 1 ms to 60 s. It doubles with each round through the servers.
    package var queryTimeout: Duration = .seconds(2)
    /// Rounds through the servers, 1 to 10. With the standard values a name that nobody answers for has failed after 6 s
    /// a server.
    package var tries = 2
    /// Names that are being asked for at a time. Each has a socket of its own to each server that was asked.
    package var questions = 256
    /// Names that are remembered, with their addresses or their failure.
    package var cacheLimit = 1_024
    /// The most that a server's TTL is believed.
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
