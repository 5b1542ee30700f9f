import Base

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

    /// Returns the reason why a name or an address, with or without brackets, is refused; `nil` if it is allowed.
    package func refusal(of host: String) -> String? {
        if denied.contains(where: { Self.matches($0, host) }) { return "the host is in fetch.denyHosts" }
        guard allowed.isEmpty || names(host) else { return "the host is not in fetch.allowHosts" }
        return nil
    }

    /// Returns whether the list names the host, in contrast to an empty list, which allows all hosts.
    func names(_ host: String) -> Bool { allowed.contains { Self.matches($0, host) } }

    /// Returns a host in lower case, without brackets and final dots. `example.com.` is the host `example.com`.
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

/// A host name outside of the public DNS: a name of a private network, or a name that is never in DNS.
enum SpecialUseDomain: Sendable, Equatable {
    /// A name that only this host or its network can resolve. The text describes the name, with the source of the rule.
    case privateNetwork(String)
    /// A name that must not be looked up in DNS. The text is the source of the rule.
    case nonDNS(String)

    /// Recognizes a special name (`WebHost.name`) by its top-level domain; returns `nil` for a name of the public DNS.
    init?(_ name: String) {
        // A name without a dot is from the hosts file, or is completed by a search list. Such a name is not a top-level
        // domain with an address, because ICANN forbids such addresses (RFC 7085 lists earlier cases).
        let dot = name.utf8.lastIndex(of: UInt8(ascii: "."))
        let last = dot.map { name.utf8[name.utf8.index(after: $0)...] } ?? name.utf8[...]
        if let special = Self.topLevel[String(Substring(last))] {
            self = special
        } else if dot == nil {
            self = .privateNetwork("a name without a dot")
        } else {
            return nil
        }
    }

    /// The special names by their top-level domain. `test` and `example` are not listed, because programs need not
    /// treat them specially (RFC 6761 §6.2 and §6.5). Their addresses are validated like those of other names.
    private static let topLevel: [String: SpecialUseDomain] = [
        "localhost": .privateNetwork("a name of this host, RFC 6761 §6.3"),
        "local": .privateNetwork("a name of the local link, RFC 6762"),
        "arpa": .privateNetwork("a name for infrastructure and home networks, RFC 3172 and RFC 8375"),
        "internal": .privateNetwork("a private name, set aside by ICANN"),
        // RFC 6762, appendix G lists these names of private networks.
        "intranet": .privateNetwork("a private name, RFC 6762 appendix G"),
        "private": .privateNetwork("a private name, RFC 6762 appendix G"),
        "corp": .privateNetwork("a private name, RFC 6762 appendix G"),
        "home": .privateNetwork("a private name, RFC 6762 appendix G"),
        "lan": .privateNetwork("a private name, RFC 6762 appendix G"),
        "localdomain": .privateNetwork("a name of hosts files"),
        "onion": .nonDNS("RFC 7686"),
        "invalid": .nonDNS("RFC 6761 §6.4"),
        "alt": .nonDNS("RFC 9476"),
    ]
}
