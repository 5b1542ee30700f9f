import NotificationModel

/// What came of asking for a name.
enum HostAnswer: Sendable, Equatable {
    /// - Parameter ttl: the shortest of all records that led to the addresses.
    case addresses([IPAddress], ttl: Duration)
    /// The servers know that there is nothing. In words.
    case nothing(String)
    /// Nobody could tell. In words.
    case unknown(String)

    /// A server that says 0 would be asked again for every medium of one notification.
    static let shortestTTL: Duration = .seconds(1)
    /// For how long it is believed that there is nothing.
    static let nothingTTL: Duration = .seconds(5)
    /// Just so long that what comes in one burst asks once.
    static let unknownTTL: Duration = .seconds(1)

    /// Of a name that is this machine's, where /etc/hosts does not say otherwise.
    var orLoopback: HostAnswer {
        switch self {
        case .addresses: self
        case .nothing, .unknown: .addresses([.v4(127 << 24 | 1)], ttl: Self.nothingTTL)
        }
    }

    /// For how long the answer is believed.
    func ttl(atMost longest: Duration) -> Duration {
        switch self {
        case .addresses(_, let ttl): max(min(ttl, longest), Self.shortestTTL)
        case .nothing: Self.nothingTTL
        case .unknown: Self.unknownTTL
        }
    }

    /// What those who wait for the name are told.
    func result(atMost longest: Duration) -> Result<ResolvedHost, MediaFailure> {
        switch self {
        case .addresses(let addresses, _):
            .success(ResolvedHost(addresses: addresses, ttl: ttl(atMost: longest), wasCached: false))
        case .nothing(let words), .unknown(let words): .failure(MediaFailure(.dnsFailed, words))
        }
    }
}
