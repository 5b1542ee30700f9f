/// Which hosts carry many transfers over one connection, as far as they have shown: pure.
struct HostProtocols {
    enum Kind: Equatable {
        /// There is a connection on one of the network's threads, and no answer yet: libcurl knows there what it carries.
        case connected(on: Int)
        case multiplexed
        case oneByOne
    }

    static let mostHosts = 10_000

    private var kinds: [String: Kind] = [:]

    /// `nil`: nothing is known of it.
    subscript(host: String) -> Kind? { kinds[host] }

    /// - Parameter thread: its place among the network's.
    mutating func noteConnection(to host: String, on thread: Int) {
        guard kinds[host] == nil else { return }
        note(.connected(on: thread), of: host)
    }

    /// A transfer has ended.
    ///
    /// - Parameter name: as `TransferTiming` has it; `nil`, because no answer came, leaves what was known of the host. That
    ///   there was a connection is not: it may be gone.
    mutating func note(_ name: String?, of host: String) {
        guard let name else {
            if case .connected = kinds[host] { kinds[host] = nil }
            return
        }
        note(name == "h2" ? .multiplexed : .oneByOne, of: host)
    }

    private mutating func note(_ kind: Kind, of host: String) {
        guard kinds[host] != kind else { return }
        // What is forgotten costs a host its first connections, and is soon known again.
        if kinds.count >= Self.mostHosts { kinds.removeAll() }
        kinds[host] = kind
    }
}
