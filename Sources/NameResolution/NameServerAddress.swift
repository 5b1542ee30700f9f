package import NotificationModel

/// Where a name server is: `192.0.2.1`, `192.0.2.1:5353`, `2001:db8::1` or `[2001:db8::1]:5353`.
package struct NameServerAddress: Sendable, Equatable {
    package let address: IPAddress
    /// 53 where none is written.
    package let port: UInt16
    /// As c-ares reads it.
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
            // An IPv6 address before a port stands in brackets, and nothing else does.
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
        // Digits alone: integers are read with signs.
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return UInt16(text).flatMap { $0 > 0 ? $0 : nil }
    }
}
