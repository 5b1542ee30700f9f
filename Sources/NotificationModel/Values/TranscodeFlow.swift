/// What shares the workers as one: the media of one app group from one host, at one priority.
package struct TranscodeFlow: Sendable, Hashable {
    /// The rank of the request (`MediaRank`). A higher one takes precedence over all lower ones.
    package var priority: Int
    package var group: AppGroupName
    /// With its port, as the URL has them.
    package var host: String
    /// Whether the bytes come from a host. Those of a `data:` URL are in the payload.
    package var hasOrigin: Bool { !host.isEmpty && !host.hasPrefix("data:") }

    package init(priority: Int = 10, group: AppGroupName, host: String) {
        self.priority = priority
        self.group = group
        self.host = host
    }

    /// - Parameter url: as the payload writes it. One without a host is its own.
    package init(priority: Int, group: AppGroupName, url: String) {
        let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        self.init(priority: priority, group: group, host: host.lowercased())
    }
}
