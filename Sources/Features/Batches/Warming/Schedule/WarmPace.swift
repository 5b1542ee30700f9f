import Base

/// The concurrency with which a host, or this machine, accepts items. The type has no side effects.
///
/// A refusal halves the concurrency and begins a pause. Successes increase the concurrency again, by about one for each
/// full round, as in TCP after a loss. Refusals of items that were started before the last slow-down belong to that
/// slow-down.
struct WarmPace {
    static let firstPause: Duration = .seconds(2)
    static let maxPause: Duration = .seconds(60)

    /// The consequence of a refusal.
    enum Change: Equatable {
        /// The refusal has no effect, because it belongs to a slow-down that has begun.
        case none
        /// No item is started for this time.
        case slowed(Duration)
        /// The refusals have lasted so long that no more items are tried.
        case givenUp
    }

    private let most: Int
    private var window: Double
    private var nextPause = firstPause
    private var slowedAt: MonotonicInstant?
    /// The time of the first refusal after the last success.
    private var refusedSince: MonotonicInstant?
    /// The time before which no item is started.
    private(set) var pausedUntil: MonotonicInstant?

    /// - Parameter most: The maximum number of items at a time, at least 1.
    init(most: Int) {
        self.most = max(1, most)
        window = Double(max(1, most))
    }

    /// The maximum number of items at a time, at least 1.
    var limit: Int { Int(window) }

    func isPaused(at now: MonotonicInstant) -> Bool { pausedUntil.map { now < $0 } ?? false }

    /// Returns whether the pace is that of a host which has never refused an item.
    func isFresh(at now: MonotonicInstant) -> Bool {
        window == Double(most) && refusedSince == nil && !isPaused(at: now)
    }

    mutating func succeed() {
        window = min(Double(most), window + 1 / window)
        nextPause = Self.firstPause
        refusedSince = nil
    }

    /// Records a refusal, and returns its consequence.
    ///
    /// - Parameter start: The time at which the refused item was started.
    /// - Parameter asked: The pause that the host asks for. If `nil`, the length of the pause doubles each time.
    /// - Parameter patience: The time for which a host may refuse all items before its other items are not tried any
    ///   more.
    mutating func refuse(
        startedAt start: MonotonicInstant, asked: Duration?, patience: Duration, at now: MonotonicInstant
    ) -> Change {
        let since = refusedSince ?? now
        refusedSince = since
        let isNew = slowedAt.map { start > $0 } ?? true
        if isNew {
            slowedAt = now
            window = max(1, window / 2)
            pausedUntil = now + (asked ?? nextPause)
            if asked == nil { nextPause = min(nextPause * 2, Self.maxPause) }
        } else if let asked {
            pausedUntil = max(pausedUntil ?? now, now + asked)
        }
        let end = pausedUntil ?? now
        if end > since + patience { return .givenUp }
        return isNew ? .slowed(now.duration(to: end)) : .none
    }
}

/// The refusals of the items that wait for another try. The type has no side effects.
struct WarmRefusals {
    /// The number of tries after which an item is not tried again, if its host accepts other items.
    static let maxTries = 8

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
        return tries + 1 >= Self.maxTries && success.map { $0 > firstStart } ?? false
    }

    /// Removes an item that has ended.
    mutating func forget(_ key: WarmKey) { items[key] = nil }
}
