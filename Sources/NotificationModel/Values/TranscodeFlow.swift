/// A group of jobs that shares the workers fairly with other groups: the media of one app group, host and priority.
package struct TranscodeFlow: Sendable, Hashable {
    /// The rank of the request (`MediaRank`). A higher rank takes precedence over all lower ones.
    package var priority: Int
    package var group: AppGroupName
    /// The host with its port, as in the URL.
    package var host: String
    /// Whether the bytes come from a host. The bytes of a `data:` URL are in the payload.
    package var hasOrigin: Bool { !host.isEmpty && !host.hasPrefix("data:") }

    package init(priority: Int = 10, group: AppGroupName, host: String) {
        self.priority = priority
        self.group = group
        self.host = host
    }

    /// - Parameter url: The URL as the payload has it. A URL without a host is a group of its own.
    package init(priority: Int, group: AppGroupName, url: String) {
        let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        self.init(priority: priority, group: group, host: host.lowercased())
    }
}
