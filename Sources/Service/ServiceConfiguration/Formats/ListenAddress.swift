import Base

/// The address on which the HTTP API listens, such as `127.0.0.1:8480`, `[::1]:8480` or `localhost:8480`.
package struct ListenAddress: Sendable, Equatable, CustomStringConvertible {
    /// A name, or an address without brackets.
    package let host: String
    /// The port, 0…65535. If it is 0, the kernel chooses a free port.
    package let port: Int

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    package init?(_ text: String) {
        let place = HostAndPort(text)
        guard let port = place.portNumber, let host = HostText.parse(inURL: place.host) else { return nil }
        self.host = host
        self.port = Int(port)
    }

    package var description: String { HostAndPort.text(host, port) }

    /// Returns whether two sockets cannot listen on both addresses at the same time. The names of other machines are
    /// compared as texts.
    package func occupies(_ other: ListenAddress) -> Bool {
        guard port == other.port, port != 0 else { return false }
        let (own, others) = (places, other.places)
        let all = own.union(others)
        if !own.isDisjoint(with: others) || all.contains("::") { return true }
        return all.contains("0.0.0.0") && [own, others].allSatisfy { $0.contains { !$0.contains(":") } }
    }

    /// The addresses that the host may be. `::` also accepts IPv4 (ipv6(7), `bindv6only`).
    private var places: Set<String> {
        host.lowercased() == "localhost" ? ["127.0.0.1", "::1"] : [IPAddress(host)?.text ?? host.lowercased()]
    }
}

enum SocketPath {
    /// The longest path, in bytes. `sockaddr_un` has room for one more byte (unix(7)).
    static let maxLength = 107
}
