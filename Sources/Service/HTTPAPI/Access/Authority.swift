import Base

/// The authority of a URI (RFC 3986 §3.2) without user information. An authority is the value of `Host`, and the part
/// of an absolute-form target between its scheme and its path.
struct Authority: Sendable, Equatable {
    /// The host in lower case, with the brackets of an IPv6 address; empty if the text has no host.
    let host: String
    /// The port; `nil` if the text has no port, so that the default of the scheme applies.
    let port: UInt16?

    /// Reads an authority from a text.
    ///
    /// - Returns: `nil` if the text is not `host[:port]`, or if its port is above 65535.
    init?(_ text: some StringProtocol) {
        let place = HostAndPort(text)
        guard !text.contains("@"), !place.host.hasPrefix("[") || place.host.contains("]") else { return nil }
        host = place.host.lowercased()
        port = place.portNumber
        // A port may be empty (RFC 3986 §3.2.3).
        guard port != nil || place.port?.isEmpty ?? true else { return nil }
    }
}

/// The names and addresses of a machine's loopback interface: `localhost`, 127.0.0.0/8 and ::1.
enum LoopbackName {
    /// Returns whether a host is the loopback interface, which only programs on this machine can reach.
    ///
    /// - Parameter host: A name or an address. An IPv6 address may have brackets.
    static func isLoopback(_ host: String) -> Bool {
        host.lowercased() == "localhost" || (IPAddress(bracketed: host) ?? IPAddress(host))?.isLoopback == true
    }
}
