/// A host name that does not belong to the public DNS: a name of a private network, or a name that is not in DNS at
/// all.
enum SpecialUseDomain: Sendable, Equatable {
    /// A name that only this host or the network around it resolves, if at all. The text describes the name, with the
    /// source of that rule.
    case privateNetwork(String)
    /// A name that must not be looked up in DNS. The text is the source of that rule.
    case nonDNS(String)

    /// Recognises a special name by its top-level domain.
    ///
    /// - Parameter name: as ``StrictHost/name(_:)`` has it.
    /// - Returns: `nil` for a name of the public DNS.
    init?(_ name: String) {
        // A name without a dot is a name of the hosts file, or the beginning of a name that a search list completes. It
        // is not the host of a top-level domain: ICANN forbids addresses for these (RFC 7085 lists those that had
        // some).
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

    /// The special names, by their top-level domain. `test` and `example` are not among them: programs need not treat
    /// them specially (RFC 6761 §6.2 and §6.5), and their addresses are checked like those of other names.
    private static let topLevel: [String: SpecialUseDomain] = [
        "localhost": .privateNetwork("a name of this host, RFC 6761 §6.3"),
        "local": .privateNetwork("a name of the local link, RFC 6762"),
        "arpa": .privateNetwork("a name for infrastructure and home networks, RFC 3172 and RFC 8375"),
        "internal": .privateNetwork("a private name, set aside by ICANN"),
        // Names that private networks use, according to RFC 6762, appendix G.
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
