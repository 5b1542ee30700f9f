/// Names that DNS does not give to everybody alike: those of inside networks, and those that are not in it at all.
enum SpecialUseDomain: Sendable, Equatable {
    /// Resolved by this host or the network around it, if at all; says by whom it is used so.
    case privateNetwork(String)
    /// Never to be asked for in DNS; says who says so.
    case nonDNS(String)

    /// - Parameter name: as `StrictHost` has it.
    init?(_ name: String) {
        // A top-level domain has no media of its own (ICANN forbids it addresses; RFC 7085 lists those that had some): a
        // single label is a name of the hosts file, or the start of one that a search list would finish.
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

    /// `.test` and `.example` are not among them: programs need not know them (RFC 6761 §6.2 and §6.5), and their
    /// addresses are judged like any other's.
    private static let topLevel: [String: SpecialUseDomain] = [
        "localhost": .privateNetwork("a name of this host, RFC 6761 §6.3"),
        "local": .privateNetwork("a name of the local link, RFC 6762"),
        "arpa": .privateNetwork("a name of the network's own, RFC 3172 and RFC 8375"),
        "internal": .privateNetwork("a private name, set aside by ICANN"),
        // RFC 6762, appendix G: what private networks use.
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
