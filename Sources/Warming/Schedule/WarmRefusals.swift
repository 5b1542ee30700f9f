import Primitives

/// The refusals of the items that wait for another try. The type has no side effects.
struct WarmRefusals {
    /// The number of tries after which an item is not tried again, if its host accepts other items.
    static let mostTries = 8

    private var items: [WarmKey: (tries: Int, firstStart: MonotonicInstant)] = [:]

    /// Counts a refusal of an item.
    ///
    /// - Parameter start: The time at which the refused try was started.
    /// - Parameter success: The time at which the host last accepted an item; `nil` if it has accepted no item.
    /// - Returns: Whether only this item is refused. In this case, the caller does not try it again.
    mutating func note(_ key: WarmKey, startedAt start: MonotonicInstant, lastSuccess success: MonotonicInstant?)
        -> Bool
    {
        let (tries, firstStart) = items[key] ?? (0, start)
        items[key] = (tries + 1, firstStart)
        return tries + 1 >= Self.mostTries && success.map { $0 > firstStart } ?? false
    }

    /// Removes an item that has ended.
    mutating func forget(_ key: WarmKey) { items[key] = nil }
}
