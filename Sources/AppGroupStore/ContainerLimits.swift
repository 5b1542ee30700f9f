/// How much the container keeps, over all groups together.
package struct ContainerLimits: Sendable, Equatable {
    /// Bytes of media.
    package var quota: Int
    /// A medium that no notification has shown for so long goes.
    package var retention: Duration

    /// 10 GiB and seven days unless told otherwise.
    package init(quota: Int = 10 << 30, retention: Duration = .seconds(7 * 86_400)) {
        self.quota = quota
        self.retention = retention
    }
}

/// What one look at the container did.
package struct EvictionReport: Sendable, Equatable {
    /// Files that nobody had used for as long as they are kept.
    package var expiredFiles = 0
    /// Files that were used least recently, for the quota.
    package var evictedFiles = 0
    /// Bytes of both.
    package var freedBytes = 0
    /// Bytes of what is left.
    package var keptBytes = 0
    /// More than the quota, and all of it is needed.
    package var isOverQuota = false

    package init() {}
}
