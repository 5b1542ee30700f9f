import WebURL

/// The hosts for which the proxy is not used (`fetch.noProxy`).
package struct ProxyBypass: Sendable {
    private struct Domain {
        /// The name of the domain in lower case, without a leading dot.
        var name: String
        /// Whether the host with this name is covered, and not only the names below it.
        var includesHost: Bool

        func covers(_ host: String) -> Bool {
            guard host.hasSuffix(name) else { return false }
            guard host.utf8.count > name.utf8.count else { return includesHost }
            return host.utf8.dropLast(name.utf8.count).last == UInt8(ascii: ".")
        }
    }

    private let domains: [Domain]
    private let ranges: [AddressRange]

    /// Creates a list of hosts. `example.com` covers the host and all names below it, as in `no_proxy` of other
    /// programs. `.example.com` and `*.example.com` cover only the names below it.
    ///
    /// - Parameter entries: names, addresses and ranges. An address or a range covers a host if it contains all its
    ///   addresses.
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

    /// Returns whether the list covers a name.
    ///
    /// - Parameter host: the name, in lower case.
    func covers(name host: String) -> Bool { domains.contains { $0.covers(host) } }

    /// Returns whether all addresses are in the ranges of the list.
    func covers(_ addresses: some Collection<IPAddress>) -> Bool {
        !ranges.isEmpty && !addresses.isEmpty
            && addresses.allSatisfy { address in ranges.contains { $0.contains(address) } }
    }
}
