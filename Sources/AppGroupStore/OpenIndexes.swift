import LinuxIO
import NotificationModel

/// The indexes of app groups that are open: a cache of at most `limit` indexes, of which the least recently used one is
/// closed first.
///
/// An open index has three descriptors. Opening one takes about a millisecond. Closing one that has changed writes its log
/// into the database, which takes two fsyncs. The last used ones also keep their compiled
/// statements and pages in memory. All calls come from the thread of the disk, which uses one index at a time, so an index
/// is in use between two calls only while maintenance holds it.
struct OpenIndexes {
    /// Indexes beyond `limit` that maintenance may have open, so that it does not close those of requests. Maintenance holds
    /// at most this number of indexes at a time.
    static let spare = 4
    /// Indexes that keep their statements and pages.
    private static let mostWarm = 16

    private struct Entry {
        let index: ContainerIndex
        var lastUse: MonotonicInstant
    }

    let limit: Int
    private var entries: [AppGroupName: Entry] = [:]
    /// Groups whose indexes keep their statements and pages, the last used one at the end.
    private var warm: [AppGroupName] = []
    /// Runs of maintenance that hold the index of a group, or will open it.
    private var holds: [AppGroupName: Int] = [:]

    /// - Parameter limit: most indexes that requests have open, 1 or more.
    init(limit: Int) { self.limit = max(1, limit) }

    var count: Int { entries.count }

    func contains(_ group: AppGroupName) -> Bool { entries[group] != nil }

    /// Returns the open index of a group, and notes its use by a request.
    mutating func index(of group: AppGroupName, at now: MonotonicInstant) -> ContainerIndex? {
        guard let entry = entries[group] else { return nil }
        if holds[group] == nil { entries[group]?.lastUse = now }
        return entry.index
    }

    /// Notes that the index of a group is used after others.
    ///
    /// - Returns: an index that was not used for so long that the caller releases its memory.
    mutating func warmUp(_ group: AppGroupName) -> ContainerIndex? {
        guard warm.last != group, holds[group] == nil else { return nil }
        if let place = warm.firstIndex(of: group) { warm.remove(at: place) }
        warm.append(group)
        guard warm.count > Self.mostWarm else { return nil }
        return entries[warm.removeFirst()]?.index
    }

    mutating func insert(_ index: ContainerIndex, of group: AppGroupName, at now: MonotonicInstant) {
        entries[group] = Entry(index: index, lastUse: now)
    }

    /// Takes out the index of a group without closing it.
    mutating func remove(_ group: AppGroupName) -> ContainerIndex? { entries.removeValue(forKey: group)?.index }

    /// Takes out the least recently used indexes, until there is room for that of a group.
    ///
    /// - Returns: indexes that the caller closes.
    mutating func makeRoom(for group: AppGroupName) -> [(group: AppGroupName, index: ContainerIndex)] {
        let most = limit + (holds[group] == nil ? 0 : Self.spare)
        var closing: [(group: AppGroupName, index: ContainerIndex)] = []
        while entries.count >= most, let oldest = leastRecentlyUsed(), let index = remove(oldest) {
            closing.append((oldest, index))
        }
        return closing
    }

    /// Takes out the indexes that no request has used since an instant.
    ///
    /// - Parameter most: most indexes that are taken out.
    /// - Returns: indexes that the caller closes.
    mutating func removeUnused(
        since instant: MonotonicInstant, atMost most: Int
    ) -> [(group: AppGroupName, index: ContainerIndex)] {
        let unused = entries.lazy.filter { [holds] in $0.value.lastUse < instant && holds[$0.key] == nil }
        return unused.prefix(most).map(\.key).compactMap { group in remove(group).map { (group, $0) } }
    }

    /// Takes out all indexes.
    ///
    /// - Returns: indexes that the caller closes.
    mutating func removeAll() -> [(group: AppGroupName, index: ContainerIndex)] {
        defer { entries = [:] }
        return entries.map { ($0.key, $0.value.index) }
    }

    private func leastRecentlyUsed() -> AppGroupName? {
        entries.lazy.filter { holds[$0.key] == nil }.min { $0.value.lastUse < $1.value.lastUse }?.key
    }

    /// Whether one more run of maintenance may hold the index of a group.
    func mayHold(_ group: AppGroupName) -> Bool { holds[group] != nil || holds.count < Self.spare }

    /// Returns the open index of a group that is not one of the last used ones.
    func coldIndex(of group: AppGroupName) -> ContainerIndex? {
        warm.contains(group) ? nil : entries[group]?.index
    }

    /// Keeps the index of a group from being closed until `release`.
    mutating func hold(_ group: AppGroupName) { holds[group, default: 0] += 1 }

    /// - Returns: whether no other run of maintenance holds the group.
    mutating func release(_ group: AppGroupName) -> Bool {
        let rest = holds[group, default: 1] - 1
        holds[group] = rest > 0 ? rest : nil
        return rest <= 0
    }
}
