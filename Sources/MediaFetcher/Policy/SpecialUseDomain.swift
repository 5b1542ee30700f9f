/// A host name outside of the public DNS: a name of a private network, or a name that is never in DNS.
enum SpecialUseDomain: Sendable, Equatable {
    /// A name that only this host or its network can resolve. The text describes the name, with the source of the rule.
    case privateNetwork(String)
    /// A name that must not be looked up in DNS. The text is the source of the rule.
    case nonDNS(String)

    /// Recognizes a special name by its top-level domain. Returns `nil` if the name belongs to the public DNS.
    ///
    /// - Parameter name: a name in the form of `WebHost.name`.
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
