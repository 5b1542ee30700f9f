import NotificationModel

/// The protocols that https hosts speak, as far as they are known. It has no clock and no thread.
struct ProtocolCache {
    enum Kind: Equatable {
        /// A first connection was made, or is late. No response has told its protocol.
        case connected
        case multiplexed
        case http1

        /// Transfers that a host may have at a time. RFC 9113 §6.5.2 recommends servers to allow no fewer than 100 streams
        /// over a connection, and libcurl 7.88 opens a connection for each further transfer.
        var mostTransfers: Int { self == .http1 ? .max : 100 }
    }

    static let mostHosts = 10_000
    /// The time for which a host that has flooded a connection is not offered HTTP/2.
    static let floodMemory = Duration.seconds(600)

    private var kinds: [String: Kind] = [:]
    /// The ends of the times in which hosts are not offered HTTP/2.
    private var withoutHTTP2: [String: MonotonicInstant] = [:]

    /// `nil`: nothing is known of it.
    subscript(host: String) -> Kind? { kinds[host] }

    /// Notes that nobody waits for the first connection to a host any more.
    mutating func noteConnection(to host: String) {
        if kinds[host] == nil { set(.connected, for: host) }
    }

    /// Notes the protocol of a transfer that has ended.
    ///
    /// - Parameter name: the protocol as `TransferTiming` has it; `nil`, if no response came, changes nothing.
    mutating func note(_ name: String?, of host: String) {
        guard let name else { return }
        let kind = name == "h2" ? Kind.multiplexed : .http1
        if kinds[host] != kind { set(kind, for: host) }
    }

    /// Notes that a host has flooded a connection (`FloodDetector`). Nearly all floods are frames of HTTP/2.
    mutating func noteFlood(of host: String, at now: MonotonicInstant) {
        if withoutHTTP2.count >= Self.mostHosts { withoutHTTP2 = withoutHTTP2.filter { now < $0.value } }
        if withoutHTTP2.count >= Self.mostHosts, let oldest = withoutHTTP2.min(by: { $0.value < $1.value }) {
            withoutHTTP2[oldest.key] = nil
        }
        withoutHTTP2[host] = now + Self.floodMemory
    }

    /// Whether a host is offered HTTP/2.
    func allowsHTTP2(_ host: String, at now: MonotonicInstant) -> Bool {
        withoutHTTP2.isEmpty || withoutHTTP2[host].map { now >= $0 } ?? true
    }

    private mutating func set(_ kind: Kind, for host: String) {
        // A host that is forgotten is soon known again.
        if kinds.count >= Self.mostHosts { kinds.removeAll() }
        kinds[host] = kind
    }
}
