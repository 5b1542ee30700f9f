package import NotificationModel

/// Finds the addresses of hosts. Cancelling the calling task leaves at once.
package protocol NameResolving: Sendable {
    /// - Parameter host: a name in the ASCII form that DNS knows, absolute with or without the final dot.
    /// - Throws: `dns-failed` with what the name servers said, `overloaded`, `cancelled`.
    func resolve(_ host: String) async throws(MediaFailure) -> ResolvedHost
}

/// What a name stands for, at the moment.
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
