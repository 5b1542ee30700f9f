import NotificationModel

/// The refusals of items that wait for another try: pure.
struct WarmRefusals {
    /// Tries after which an item is given up if its host takes other items.
    static let mostTries = 8

    private var items: [WarmKey: (tries: Int, firstStart: MonotonicInstant)] = [:]

    /// Counts a refusal.
    ///
    /// - Parameters:
    ///   - start: When the refused try was started.
    ///   - success: When the host that refused it took an item last; `nil`: it has taken none.
    /// - Returns: whether the item alone is refused, so that no further try is worth it.
    mutating func note(_ key: WarmKey, startedAt start: MonotonicInstant, lastSuccess success: MonotonicInstant?)
        -> Bool
    {
        let (tries, firstStart) = items[key] ?? (0, start)
        items[key] = (tries + 1, firstStart)
        return tries + 1 >= Self.mostTries && success.map { $0 > firstStart } ?? false
    }

    /// The item has ended.
    mutating func forget(_ key: WarmKey) { items[key] = nil }
}
