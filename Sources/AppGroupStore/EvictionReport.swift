/// The result of one eviction over all groups.
package struct EvictionReport: Sendable, Equatable {
    /// The reason why the remaining files exceed the quota.
    package enum Excess: Sendable {
        /// Each remaining file is leased: a request, or a message that arrives later, needs it.
        case filesInUse
        /// A file could not be removed, or the index of a group could not be used. The store has reported the error.
        case evictionFailed
    }

    /// The number of files that were removed because their retention had passed.
    package var expiredFiles = 0
    /// The number of files that were removed because of the quota, the least recently used files first.
    package var evictedFiles = 0
    /// The number of bytes of all removed files.
    package var freedBytes = 0
    /// The number of bytes of the remaining files, without groups whose index could not be used.
    package var keptBytes = 0
    /// The reason why the quota is exceeded; `nil` if the remaining files are within it.
    package var excess: Excess?

    package init() {}
}
