/// The changes that wait for the next transaction, in their order, and the keys that they may concern.
///
/// The keys are in a set, because each lookup asks for its key, and hundreds of changes may wait during a burst.
struct PendingChanges {
    private(set) var changes: [CacheIndex.Change] = []
    private var keys: Set<String> = []
    private var mayConcernAll = false

    var isEmpty: Bool { changes.isEmpty }
    var count: Int { changes.count }

    mutating func append(_ change: CacheIndex.Change) {
        changes.append(change)
        if let key = change.key { keys.insert(key) } else { mayConcernAll = true }
    }

    /// Returns whether a lookup of a key may give another result after the changes are written.
    func mayConcern(_ key: String) -> Bool { mayConcernAll || keys.contains(key) }
}
