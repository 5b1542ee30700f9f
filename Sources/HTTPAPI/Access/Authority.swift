import NotificationModel

/// The authority of a URI (RFC 3986 §3.2) without user information. It is the value of `Host`, and the part of an
/// absolute-form target between its scheme and its path.
struct Authority: Sendable, Equatable {
    /// The host in lower case, with the brackets of an IPv6 address; empty if the text has no host.
    let host: String
    /// The port; `nil` if the text has none, so that the default of the scheme applies.
    let port: UInt16?

    /// Reads an authority from a text.
    ///
    /// - Returns: `nil` if the text is not `host[:port]`, or if its port is above 65535.
    init?(_ text: some StringProtocol) {
        let end = text.hasPrefix("[") ? text.firstIndex(of: "]") ?? text.startIndex : text.startIndex
        guard !text.contains("@") else { return nil }
        guard let colon = text[end...].firstIndex(of: ":") else {
            (host, port) = (text.lowercased(), nil)
            return
        }
        let digits = text[text.index(after: colon)...]
        host = text[..<colon].lowercased()
        // A port may be empty (RFC 3986 §3.2.3). `UInt16` would accept a sign.
        guard !digits.isEmpty else {
            port = nil
            return
        }
        guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let number = UInt16(digits)
        else { return nil }
        port = number
    }
}

/// The names and addresses of a machine's loopback interface: `localhost`, 127.0.0.0/8 and ::1.
enum LoopbackName {
    private static let ranges = ["127.0.0.0/8", "::1"].compactMap(AddressRange.init)

    /// Returns whether only programs on this machine can reach a server that listens on a host.
    ///
    /// - Parameter host: A name, or an address with or without the brackets of IPv6.
    static func isLoopback(_ host: String) -> Bool {
        let host = withoutBrackets(host)
        if host.lowercased() == "localhost" { return true }
        return IPAddress(host).map { address in ranges.contains { $0.contains(address) } } ?? false
    }

    /// Removes the brackets of an IPv6 address.
    static func withoutBrackets(_ host: String) -> String {
        host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    }
}
