import Base
import NotificationModel

/// The open indexes of app groups: a cache that closes the least recently used of more than `limit` indexes.
///
/// An open index has three descriptors. Opening one takes about a millisecond. Closing a changed index writes its log
/// into the database, which takes two fsyncs. The last used indexes also keep their compiled statements and pages in
/// memory. All calls come from the thread of the disk, which uses one index at a time. Therefore, only maintenance
/// holds an index between two calls.
struct OpenIndexes {
    /// The number of indexes beyond `limit` that maintenance may open, so that it does not close the indexes of
    /// requests. Maintenance holds at most this number of indexes at a time.
    static let spare = 4
    /// The maximum number of indexes that keep their statements and pages in memory.
    private static let maxWarm = 16

    private struct Entry {
        let index: ContainerIndex
        var lastUse: MonotonicInstant
    }

    let limit: Int
    private var entries: [AppGroupName: Entry] = [:]
    /// The groups whose indexes keep their statements and pages, with the last used group at the end.
    private var warm: [AppGroupName] = []
    /// The number of maintenance runs that hold the index of each group, or are about to open it.
    private var holds: [AppGroupName: Int] = [:]

    /// - Parameter limit: The maximum number of indexes that requests have open, 1 or more.
    init(limit: Int) { self.limit = max(1, limit) }

    var count: Int { entries.count }

    func contains(_ group: AppGroupName) -> Bool { entries[group] != nil }

    /// Returns the open index of a group, and records its use by a request; `nil` if it is not open.
    mutating func index(of group: AppGroupName, at now: MonotonicInstant) -> ContainerIndex? {
        guard let entry = entries[group] else { return nil }
        if holds[group] == nil { entries[group]?.lastUse = now }
        return entry.index
    }

    /// Records that the index of a group is the last used index, and returns the index that is no longer among the last
    /// used indexes. The caller releases its memory.
    mutating func warmUp(_ group: AppGroupName) -> ContainerIndex? {
        guard warm.last != group, holds[group] == nil else { return nil }
        if let place = warm.firstIndex(of: group) { warm.remove(at: place) }
        warm.append(group)
        guard warm.count > Self.maxWarm else { return nil }
        return entries[warm.removeFirst()]?.index
    }

    mutating func insert(_ index: ContainerIndex, of group: AppGroupName, at now: MonotonicInstant) {
        entries[group] = Entry(index: index, lastUse: now)
    }

    /// Removes the index of a group from the cache without closing it.
    mutating func remove(_ group: AppGroupName) -> ContainerIndex? { entries.removeValue(forKey: group)?.index }

    /// Removes the least recently used indexes until the index of a group fits, and returns the removed indexes, which
    /// the caller closes.
    mutating func freeSpace(for group: AppGroupName) -> [(group: AppGroupName, index: ContainerIndex)] {
        let most = limit + (holds[group] == nil ? 0 : Self.spare)
        var closing: [(group: AppGroupName, index: ContainerIndex)] = []
        while entries.count >= most, let oldest = minRecentlyUsed(), let index = remove(oldest) {
            closing.append((oldest, index))
        }
        return closing
    }

    /// Removes at most `most` indexes that no request has used since an instant, for the caller to close.
    mutating func removeUnused(
        since instant: MonotonicInstant, atMost most: Int
    ) -> [(group: AppGroupName, index: ContainerIndex)] {
        let unused = entries.lazy.filter { [holds] in $0.value.lastUse < instant && holds[$0.key] == nil }
        return unused.prefix(most).map(\.key).compactMap { group in remove(group).map { (group, $0) } }
    }

    /// Removes all indexes from the cache, and returns the removed indexes, which the caller closes.
    mutating func removeAll() -> [(group: AppGroupName, index: ContainerIndex)] {
        defer { entries = [:] }
        return entries.map { ($0.key, $0.value.index) }
    }

    private func minRecentlyUsed() -> AppGroupName? {
        entries.lazy.filter { holds[$0.key] == nil }.min { $0.value.lastUse < $1.value.lastUse }?.key
    }

    /// Returns whether one more run of maintenance may hold the index of a group.
    func mayHold(_ group: AppGroupName) -> Bool { holds[group] != nil || holds.count < Self.spare }

    /// Returns the open index of a group; `nil` if it is not open or is one of the last used indexes.
    func coldIndex(of group: AppGroupName) -> ContainerIndex? { warm.contains(group) ? nil : entries[group]?.index }

    /// Prevents the index of a group from being closed until `release`.
    mutating func hold(_ group: AppGroupName) { holds[group, default: 0] += 1 }

    /// Ends one hold of a group, and returns whether no other run of maintenance holds the group.
    mutating func release(_ group: AppGroupName) -> Bool {
        let rest = holds[group, default: 1] - 1
        holds[group] = rest > 0 ? rest : nil
        return rest <= 0
    }
}
