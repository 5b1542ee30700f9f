import NotificationModel

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
