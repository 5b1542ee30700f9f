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

    private var kinds: [String: Kind] = [:]

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

    private mutating func set(_ kind: Kind, for host: String) {
        // A host that is forgotten is soon known again.
        if kinds.count >= Self.mostHosts { kinds.removeAll() }
        kinds[host] = kind
    }
}
