import WebURL

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
}

enum SocketPath {
    /// The longest path, in bytes. `sockaddr_un` has room for one more byte (unix(7)).
    static let longest = 107
}
