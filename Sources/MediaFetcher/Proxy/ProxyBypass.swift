import NotificationModel

/// The hosts that are connected to without the proxy (`fetch.noProxy`).
package struct ProxyBypass: Sendable {
    private struct Domain {
        /// Lower case, without a dot in front.
        var name: String
        /// The host of this name is covered, and not only those below it.
        var includesHost: Bool

        func covers(_ host: String) -> Bool {
            guard host.hasSuffix(name) else { return false }
            guard host.utf8.count > name.utf8.count else { return includesHost }
            return host.utf8.dropLast(name.utf8.count).last == UInt8(ascii: ".")
        }
    }

    private let domains: [Domain]
    private let ranges: [AddressRange]

    /// - Parameter entries: an address or a range covers the hosts whose addresses are all in it. `example.com` covers the
    ///   host and all names below it, as in `no_proxy` of other programs. `.example.com` and `*.example.com` cover only
    ///   the names below it.
    package init(_ entries: [String] = []) {
        ranges = entries.compactMap { AddressRange($0) }
        domains = entries.filter { AddressRange($0) == nil }.map { entry in
            let name = HostAllowlist.normal(entry)
            guard let dot = name.firstIndex(of: "."), name[..<dot].isEmpty || name[..<dot] == "*" else {
                return Domain(name: name, includesHost: true)
            }
            return Domain(name: String(name[name.index(after: dot)...]), includesHost: false)
        }
    }

    /// - Parameter host: a name in lower case.
    func covers(name host: String) -> Bool { domains.contains { $0.covers(host) } }

    /// Whether each of the addresses is in a range.
    func covers(_ addresses: some Collection<IPAddress>) -> Bool {
        !ranges.isEmpty && !addresses.isEmpty
            && addresses.allSatisfy { address in ranges.contains { $0.contains(address) } }
    }
}
