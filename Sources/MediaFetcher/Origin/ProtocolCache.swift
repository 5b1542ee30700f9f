import Base
import NotificationModel

/// A cache of the protocols that https hosts use. The cache has no clock and no thread.
struct ProtocolCache {
    enum Kind: Equatable {
        /// The first connection was made or is late, and no response has shown its protocol yet.
        case connected
        case multiplexed
        case http1

        /// The maximum number of simultaneous transfers of a host. RFC 9113 §6.5.2 recommends that servers allow at
        /// least 100 streams over a connection, and libcurl 7.88 opens a new connection for each further transfer.
        var maxTransfers: Int { self == .http1 ? .max : 100 }
    }

    static let maxHosts = 10_000
    /// The time for which a host that has flooded a connection is not offered HTTP/2.
    static let floodMemory = Duration.seconds(600)

    private var kinds: [String: Kind] = [:]
    /// The time until which each host is not offered HTTP/2.
    private var withoutHTTP2: [String: MonotonicInstant] = [:]

    /// The kind of a host; `nil` if it is unknown.
    subscript(host: String) -> Kind? { kinds[host] }

    /// Records that transfers no longer wait for the first connection to a host.
    mutating func noteConnection(to host: String) {
        if kinds[host] == nil { set(.connected, for: host) }
    }

    /// Records the protocol of a transfer, as in `TransferTiming`; `nil`, without an effect, if no response arrived.
    mutating func note(_ name: String?, of host: String) {
        guard let name else { return }
        let kind = name == "h2" ? Kind.multiplexed : .http1
        if kinds[host] != kind { set(kind, for: host) }
    }

    /// Records that a host has flooded a connection (`FloodDetector`). Nearly all floods consist of HTTP/2 frames.
    mutating func noteFlood(of host: String, at now: MonotonicInstant) {
        if withoutHTTP2.count >= Self.maxHosts { withoutHTTP2 = withoutHTTP2.filter { now < $0.value } }
        if withoutHTTP2.count >= Self.maxHosts, let oldest = withoutHTTP2.min(by: { $0.value < $1.value }) {
            withoutHTTP2[oldest.key] = nil
        }
        withoutHTTP2[host] = now + Self.floodMemory
    }

    /// Returns whether a host is offered HTTP/2.
    func allowsHTTP2(_ host: String, at now: MonotonicInstant) -> Bool {
        withoutHTTP2.isEmpty || withoutHTTP2[host].map { now >= $0 } ?? true
    }

    private mutating func set(_ kind: Kind, for host: String) {
        // All entries may be removed, because the next transfer to a host adds its entry again.
        if kinds.count >= Self.maxHosts { kinds.removeAll() }
        kinds[host] = kind
    }
}
