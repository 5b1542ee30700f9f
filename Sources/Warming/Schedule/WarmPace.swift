import NotificationModel

/// How fast a host, or this machine, takes items: pure.
///
/// A refusal halves the concurrency and begins a pause. Successes give the concurrency back, about one for each full round, as
/// TCP does after a loss. Refusals of items that were started before the last slow-down belong to it.
struct WarmPace {
    static let firstPause: Duration = .seconds(2)
    static let longestPause: Duration = .seconds(60)

    /// The consequence of a refusal.
    enum Change: Equatable {
        /// Nothing: it belongs to a slow-down that has begun.
        case none
        /// Nothing is started for this time.
        case slowed(Duration)
        /// It has refused for so long that nothing more is tried.
        case givenUp
    }

    private let most: Int
    private var room: Double
    private var nextPause = firstPause
    private var slowedAt: MonotonicInstant?
    /// When the first refusal came after the last success.
    private var refusedSince: MonotonicInstant?
    /// Nothing is started before this instant.
    private(set) var pausedUntil: MonotonicInstant?

    /// - Parameter most: Items at a time, 1 or more.
    init(most: Int) {
        self.most = max(1, most)
        room = Double(max(1, most))
    }

    /// Items at a time, 1 or more.
    var limit: Int { Int(room) }

    func isPaused(at now: MonotonicInstant) -> Bool { pausedUntil.map { now < $0 } ?? false }

    /// Whether it takes items as one that has never refused an item.
    func isFresh(at now: MonotonicInstant) -> Bool {
        room == Double(most) && refusedSince == nil && !isPaused(at: now)
    }

    mutating func succeed() {
        room = min(Double(most), room + 1 / room)
        nextPause = Self.firstPause
        refusedSince = nil
    }

    /// - Parameters:
    ///   - start: When the refused item was started.
    ///   - asked: The pause that is asked for; `nil`: one that doubles each time.
    ///   - patience: The time after which a host that only refuses is given up.
    mutating func refuse(
        startedAt start: MonotonicInstant, asked: Duration?, patience: Duration, at now: MonotonicInstant
    ) -> Change {
        let since = refusedSince ?? now
        refusedSince = since
        let isNew = slowedAt.map { start > $0 } ?? true
        if isNew {
            slowedAt = now
            room = max(1, room / 2)
            pausedUntil = now + (asked ?? nextPause)
            if asked == nil { nextPause = min(nextPause * 2, Self.longestPause) }
        } else if let asked {
            pausedUntil = max(pausedUntil ?? now, now + asked)
        }
        let end = pausedUntil ?? now
        if end > since + patience { return .givenUp }
        return isNew ? .slowed(now.duration(to: end)) : .none
    }
}
