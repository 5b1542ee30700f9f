import NotificationModel

/// The keys that are pinned in each group, so that most media cost no look into an index. Pure.
///
/// Pins of another process are seen within `memory`. Its own memory is bounded: of a group with more than `mostKeys` pins
/// it knows only that there are some, and of many groups only those that were asked for last.
struct PinDirectory {
    static let memory: Duration = .seconds(1)
    static let mostKeys = 16_384
    static let mostGroups = 1_024

    private struct Group {
        /// `nil`: too many to keep.
        var keys: Set<Int>?
        var dataVersion: Int?
        var readAt: MonotonicInstant
    }

    private var groups: [AppGroupName: Group] = [:]

    /// Whether something may be pinned under a key; `nil` if the group has to be read again.
    func mayHold(_ key: PinKey, in group: AppGroupName, at now: MonotonicInstant) -> Bool? {
        guard let known = groups[group], known.readAt.advanced(by: Self.memory) > now else { return nil }
        return known.keys?.contains(Self.hash(key.url, key.recipe.key)) ?? true
    }

    /// Whether what is known of a group is what its index had at a version.
    func isCurrent(_ group: AppGroupName, dataVersion: Int) -> Bool { groups[group]?.dataVersion == dataVersion }

    /// Notes that the keys of a group are still right.
    mutating func confirm(_ group: AppGroupName, at now: MonotonicInstant) { groups[group]?.readAt = now }

    /// - Parameter keys: of all pins of the group; `nil` if they are more than `mostKeys`.
    mutating func set(
        _ keys: [(url: String, recipe: String)]?, of group: AppGroupName, dataVersion: Int?, at now: MonotonicInstant
    ) {
        if groups.count >= Self.mostGroups, groups[group] == nil { forgetOldest() }
        groups[group] = Group(
            keys: keys.map { keys in Set(keys.map { Self.hash($0.url, $0.recipe) }) }, dataVersion: dataVersion,
            readAt: now)
    }

    /// Forgets the half of the groups that was read first.
    private mutating func forgetOldest() {
        let oldest = groups.sorted { $0.value.readAt < $1.value.readAt }.prefix(groups.count / 2)
        for (group, _) in oldest { groups[group] = nil }
    }

    mutating func insert(_ key: PinKey, in group: AppGroupName) {
        groups[group]?.keys?.insert(Self.hash(key.url, key.recipe.key))
    }

    mutating func forget(_ group: AppGroupName) { groups[group] = nil }

    private static func hash(_ url: String, _ recipe: String) -> Int {
        var hasher = Hasher()
        hasher.combine(url)
        hasher.combine(recipe)
        return hasher.finalize()
    }
}
