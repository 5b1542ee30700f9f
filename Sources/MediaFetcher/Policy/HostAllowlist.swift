import WebURL

/// The operator's lists of allowed and denied hosts. The lists are checked before a name is resolved.
package struct HostAllowlist: Sendable {
    /// The allowed hosts in lower case, and patterns such as `*.example.com` for all names below a domain. If the list
    /// is empty, all hosts are allowed.
    package var allowed: [String]
    /// The denied hosts, which take precedence over the allowed hosts.
    package var denied: [String]

    package init(allowed: [String] = [], denied: [String] = []) {
        self.allowed = allowed
        self.denied = denied
    }

    /// Whether both lists are empty, so that every host is allowed.
    var isOpen: Bool { allowed.isEmpty && denied.isEmpty }

    /// Returns the reason why a host is refused; `nil` if the host is allowed.
    ///
    /// - Parameter host: a name or an address, with or without brackets.
    package func refusal(of host: String) -> String? {
        if denied.contains(where: { Self.matches($0, host) }) { return "the host is in fetch.denyHosts" }
        guard allowed.isEmpty || names(host) else { return "the host is not in fetch.allowHosts" }
        return nil
    }

    /// Returns whether the list names the host, in contrast to an empty list, which allows all hosts.
    func names(_ host: String) -> Bool { allowed.contains { Self.matches($0, host) } }

    /// Returns a host in lower case, without brackets and without final dots: `example.com.` is the same host as
    /// `example.com`.
    static func normal(_ host: String) -> String {
        var host = HostAndPort.unbracketed(host.lowercased())
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
