/// Limits of the files that the containers of all groups keep together.
package struct ContainerLimits: Sendable, Equatable {
    /// Most bytes of media files.
    package var quota: Int
    /// How long a file is kept after a notification showed it last.
    package var retention: Duration

    /// Creates limits of 10 GiB and seven days by default.
    package init(quota: Int = 10 << 30, retention: Duration = .seconds(7 * 86_400)) {
        self.quota = quota
        self.retention = retention
    }
}

/// The result of one eviction over all groups.
package struct EvictionReport: Sendable, Equatable {
    /// Why the files that are left have more bytes than the quota.
    package enum Excess: Sendable {
        /// Each file that is left is leased: a request, or a message that is still to come, needs it.
        case filesInUse
        /// Files could not be removed, or the index of a group could not be used. The store has reported why.
        case evictionFailed
    }

    /// Files that were removed because their retention had passed.
    package var expiredFiles = 0
    /// Files that were removed because of the quota, the least recently used ones first.
    package var evictedFiles = 0
    /// Bytes of all files that were removed.
    package var freedBytes = 0
    /// Bytes of the files that are left, apart from groups whose index could not be used.
    package var keptBytes = 0
    /// `nil` if the files that are left are within the quota.
    package var excess: Excess?

    package init() {}
}
