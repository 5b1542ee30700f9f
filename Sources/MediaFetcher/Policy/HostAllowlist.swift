import NotificationModel

/// Which hosts may be asked, by name: what an operator lists, before anything is resolved.
package struct HostAllowlist: Sendable {
    /// Hosts and `*.example.com` (every name below it), lower case. Empty: all.
    package var allowed: [String]
    /// Go before the allowed ones.
    package var denied: [String]

    package init(allowed: [String] = [], denied: [String] = []) {
        self.allowed = allowed
        self.denied = denied
    }

    /// Nobody is listed: every host may be asked.
    var isOpen: Bool { allowed.isEmpty && denied.isEmpty }

    /// - Parameter host: a name or an address, with or without brackets.
    /// - Returns: why the host is refused, `nil` where it is not.
    package func refusal(of host: String) -> String? {
        if denied.contains(where: { Self.matches($0, host) }) { return "the host is in fetch.denyHosts" }
        guard allowed.isEmpty || names(host) else { return "the host is not in fetch.allowHosts" }
        return nil
    }

    /// Whether the operator allows the host by name, and not only by allowing all.
    func names(_ host: String) -> Bool { allowed.contains { Self.matches($0, host) } }

    /// Lower case, without brackets and the root's dot: `example.com.` is another spelling of the same host.
    static func normal(_ host: String) -> String {
        var host = host.lowercased()
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        while host.hasSuffix(".") { host.removeLast() }
        return host
    }

    private static func matches(_ pattern: String, _ host: String) -> Bool {
        let (pattern, host) = (normal(pattern), normal(host))
        if let address = IPAddress(host) { return IPAddress(pattern) == address }
        guard pattern.hasPrefix("*.") else { return host == pattern }
        return host.hasSuffix(pattern.dropFirst()) && host.utf8.count > pattern.utf8.count - 1
    }
}
