import Base
import NotificationModel

/// The keys that are pinned in each group, so that the lookup of most media items reads no index. The type does no I/O.
///
/// A pin of another process becomes visible within `memory`. The memory of the directory is bounded. For a group with
/// more than `maxKeys` pins, only the fact that the group has pins is kept. If there are too many groups, the groups
/// that were read first are removed. The keys of all groups take at most about 5 MB.
struct PinDirectory {
    static let memory: Duration = .seconds(1)
    static let maxKeys = 16_384
    static let maxGroups = 1_024
    /// The maximum number of keys of all groups together.
    static let maxKeysOfAll = 262_144

    private struct Group {
        /// The hashes of the pinned keys; `nil` if there are too many to keep.
        var keys: Set<Int>?
        var dataVersion: Int?
        var readAt: MonotonicInstant
    }

    private var groups: [AppGroupName: Group] = [:]

    /// Returns whether a key may have a pin; `nil` if the group has to be read again.
    func mayHold(_ key: PinKey, in group: AppGroupName, at now: MonotonicInstant) -> Bool? {
        guard let known = groups[group], known.readAt.advanced(by: Self.memory) > now else { return nil }
        return known.keys?.contains(Self.hash(key.url, key.recipe.key)) ?? true
    }

    /// Returns whether the cached keys of a group come from a given version of its index.
    func isCurrent(_ group: AppGroupName, dataVersion: Int) -> Bool { groups[group]?.dataVersion == dataVersion }

    /// Records that the cached keys of a group are still valid.
    mutating func confirm(_ group: AppGroupName, at now: MonotonicInstant) { groups[group]?.readAt = now }

    /// Replaces the cached keys of a group by the keys of all its pins; `nil` if there are more than `maxKeys`.
    mutating func set(
        _ keys: [(url: String, recipe: String)]?, of group: AppGroupName, dataVersion: Int?, at now: MonotonicInstant
    ) {
        groups[group] = nil
        while groups.count >= Self.maxGroups || keyCount + (keys?.count ?? 0) > Self.maxKeysOfAll {
            guard !groups.isEmpty else { break }
            forgetOldest()
        }
        groups[group] = Group(
            keys: keys.map { keys in Set(keys.map { Self.hash($0.url, $0.recipe) }) }, dataVersion: dataVersion,
            readAt: now)
    }

    var keyCount: Int { groups.values.reduce(0) { $0 + ($1.keys?.count ?? 0) } }

    /// Removes the half of the groups that was read first.
    private mutating func forgetOldest() {
        let oldest = groups.sorted { $0.value.readAt < $1.value.readAt }.prefix((groups.count + 1) / 2)
        for (group, _) in oldest { groups[group] = nil }
    }

    mutating func insert(_ key: PinKey, in group: AppGroupName) {
        groups[group]?.keys?.insert(Self.hash(key.url, key.recipe.key))
        guard let count = groups[group]?.keys?.count else { return }
        if count > Self.maxKeys { groups[group]?.keys = nil }
    }

    mutating func forget(_ group: AppGroupName) { groups[group] = nil }

    private static func hash(_ url: String, _ recipe: String) -> Int {
        var hasher = Hasher()
        hasher.combine(url)
        hasher.combine(recipe)
        return hasher.finalize()
    }
}
