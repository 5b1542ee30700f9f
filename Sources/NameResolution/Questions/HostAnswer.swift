import NotificationModel
import WebURL

/// The result of a query for a host name.
enum HostAnswer: Sendable, Equatable {
    /// The host has these addresses.
    ///
    /// - Parameter ttl: the shortest TTL of all records that led to the addresses.
    case addresses([IPAddress], ttl: Duration)
    /// The servers reported that the name has no addresses. The value is the sentence for the error.
    case nothing(String)
    /// No server could answer. The value is the sentence for the error.
    case unknown(String)

    /// The minimum time for which addresses are cached. Without a minimum, a TTL of 0 would cause a new query for each
    /// media item of a notification.
    static let shortestTTL: Duration = .seconds(1)
    /// The time for which the absence of a name or of its addresses is cached.
    static let nothingTTL: Duration = .seconds(5)
    /// The time for which a failed query is cached. The time is just long enough that a burst of requests makes one
    /// query.
    static let unknownTTL: Duration = .seconds(1)

    /// The answer for a loopback name. If /etc/hosts has no addresses for it, the answer is 127.0.0.1.
    var orLoopback: HostAnswer {
        switch self {
        case .addresses: self
        case .nothing, .unknown: .addresses([.v4(127 << 24 | 1)], ttl: Self.nothingTTL)
        }
    }

    /// Returns the time for which the answer may be cached.
    func ttl(atMost longest: Duration) -> Duration {
        switch self {
        case .addresses(_, let ttl): max(min(ttl, longest), Self.shortestTTL)
        case .nothing: Self.nothingTTL
        case .unknown: Self.unknownTTL
        }
    }

    /// Returns the result for the callers that wait for the name.
    func result(atMost longest: Duration) -> Result<ResolvedHost, MediaFailure> {
        switch self {
        case .addresses(let addresses, _):
            .success(ResolvedHost(addresses: addresses, ttl: ttl(atMost: longest), wasCached: false))
        case .nothing(let words), .unknown(let words): .failure(MediaFailure(.dnsFailed, words))
        }
    }
}
