/// Which hosts carry many transfers over one connection, as far as they have shown: pure.
struct ProtocolCache {
    enum Kind: Equatable {
        case multiplexed
        case http1
    }

    static let mostHosts = 10_000

    private var kinds: [String: Kind] = [:]

    /// `nil`: nothing is known of it.
    subscript(host: String) -> Kind? { kinds[host] }

    /// Notes the protocol of a transfer that has ended.
    ///
    /// - Parameter name: the protocol as `TransferTiming` has it; `nil`, if no response came, changes nothing.
    mutating func note(_ name: String?, of host: String) {
        guard let name else { return }
        let kind = name == "h2" ? Kind.multiplexed : .http1
        guard kinds[host] != kind else { return }
        // What is forgotten costs a host its first connections, and is soon known again.
        if kinds.count >= Self.mostHosts { kinds.removeAll() }
        kinds[host] = kind
    }
}
