import Base

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

    /// Creates the flow of a media item.
    ///
    /// - Parameter url: The URL as the payload has it. A URL without a host forms a separate group.
    package init(priority: Int, group: AppGroupName, url: String) {
        let host = UncheckedURL(url).hostAndPort ?? url.prefix { !"/?#".contains($0) }.lowercased()
        self.init(priority: priority, group: group, host: host)
    }
}

/// The order in which media get connections and workers: media of a higher rank get them first.
package enum MediaRank {
    /// The lowest rank, for media that are prepared for later notifications.
    package static let warming = 0
    /// The rank of an alert of the highest priority.
    package static let standard = rank(priority: 10, isSilent: false)

    /// Returns the rank of a notification. At the same priority, alerts take precedence over silent pushes.
    ///
    /// - Parameter priority: The priority of APNs: 10, 5 or 1.
    package static func rank(priority: Int, isSilent: Bool) -> Int { 2 * priority + (isSilent ? 0 : 1) }
}
