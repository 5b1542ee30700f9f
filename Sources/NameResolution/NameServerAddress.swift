package import NotificationModel

/// The address of a name server: `192.0.2.1`, `192.0.2.1:5353`, `2001:db8::1` or `[2001:db8::1]:5353`.
package struct NameServerAddress: Sendable, Equatable {
    package let address: IPAddress
    /// The port; 53 if the text has none.
    package let port: UInt16
    /// The address and the port, in the form that c-ares reads.
    let text: String

    package init?(_ written: String) {
        let host: String
        let number: String?
        if IPAddress(written) != nil {
            (host, number) = (written, nil)
        } else if let colon = written.lastIndex(of: ":") {
            number = String(written[written.index(after: colon)...])
            let before = written[..<colon]
            let isBracketed = before.first == "[" && before.last == "]"
            host = isBracketed ? String(before.dropFirst().dropLast()) : String(before)
            // An IPv6 address with a port is in brackets, and an IPv4 address is never in brackets.
            guard isBracketed == host.contains(":") else { return nil }
        } else {
            return nil
        }
        guard let address = IPAddress(host), let port = Self.port(number ?? "53") else { return nil }
        self.address = address
        self.port = port
        text = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    private static func port(_ text: String) -> UInt16? {
        // Only digits are accepted, because the initializer of an integer also accepts a sign.
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return UInt16(text).flatMap { $0 > 0 ? $0 : nil }
    }
}
