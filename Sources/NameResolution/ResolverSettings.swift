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
