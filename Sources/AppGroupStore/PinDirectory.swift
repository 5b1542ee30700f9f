import NotificationModel

/// Which media of which groups may be pinned, so that a medium that is not is told from memory. Pure.
///
/// What another process pins is seen within `memory`.
struct PinDirectory {
    static let memory: Duration = .seconds(1)

    private struct Group {
        var keys: Set<Int>
        var dataVersion: Int?
        var readAt: MonotonicInstant
    }

    private var groups: [AppGroupName: Group] = [:]

    /// Whether something may be pinned under a key; `nil`: what is known is too old.
    func mayHold(_ key: PinKey, in group: AppGroupName, at now: MonotonicInstant) -> Bool? {
        guard let known = groups[group], known.readAt.advanced(by: Self.memory) > now else { return nil }
        return !known.keys.isEmpty && known.keys.contains(Self.hash(key.url, key.recipe.key))
    }

    /// Whether what is known of a group is what its index had at a version.
    func isCurrent(_ group: AppGroupName, dataVersion: Int) -> Bool { groups[group]?.dataVersion == dataVersion }

    /// What is known of a group is still right.
    mutating func confirm(_ group: AppGroupName, at now: MonotonicInstant) { groups[group]?.readAt = now }

    mutating func set(
        _ keys: [(url: String, recipe: String)], of group: AppGroupName, dataVersion: Int?, at now: MonotonicInstant
    ) {
        groups[group] = Group(
            keys: Set(keys.map { Self.hash($0.url, $0.recipe) }), dataVersion: dataVersion, readAt: now)
    }

    mutating func insert(_ key: PinKey, in group: AppGroupName) {
        groups[group]?.keys.insert(Self.hash(key.url, key.recipe.key))
    }

    mutating func forget(_ group: AppGroupName) { groups[group] = nil }

    private static func hash(_ url: String, _ recipe: String) -> Int {
        var hasher = Hasher()
        hasher.combine(url)
        hasher.combine(recipe)
        return hasher.finalize()
    }
}
