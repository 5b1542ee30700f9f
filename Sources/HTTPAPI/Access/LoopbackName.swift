import NotificationModel

/// Which names and addresses are this machine's own.
enum LoopbackName {
    private static let ranges = ["127.0.0.0/8", "::1"].compactMap(AddressRange.init)

    /// Whether what listens there is reached from this machine only.
    static func isLoopback(_ host: String) -> Bool {
        let host = withoutBrackets(host)
        if host.lowercased() == "localhost" { return true }
        return IPAddress(host).map { address in ranges.contains { $0.contains(address) } } ?? false
    }

    static func withoutBrackets(_ host: String) -> String {
        host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    }
}
