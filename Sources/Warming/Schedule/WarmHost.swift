import DequeModule
import NotificationModel

/// The items of one host, and how fast it takes them.
struct WarmHost {
    var queue: Deque<WarmItem> = []
    var running = 0
    var pace: WarmPace
    /// When the rate permits the next start.
    var nextStart: MonotonicInstant?
    /// Whether the host is among those that take turns.
    var isInLine = false
    /// Whether the host is remembered although it had no items.
    var isRemembered = false
    var timing = HostTiming()
    /// When an item ended last that was not refused; `nil`: each was refused.
    var lastSuccess: MonotonicInstant?

    init(pace: WarmPace) { self.pace = pace }

    func mayStart(at now: MonotonicInstant) -> Bool {
        running < pace.limit && (earliestStart.map { $0 <= now } ?? true)
    }

    /// Whether no item of the host waits or runs.
    var isIdle: Bool { queue.isEmpty && running == 0 && !isInLine }

    /// Whether a new host would be asked in the same way. Its time per item is for the progress of running items only.
    func isFresh(at now: MonotonicInstant) -> Bool {
        !isRemembered && pace.isFresh(at: now) && (nextStart.map { $0 <= now } ?? true)
    }

    /// `nil`: at any time.
    var earliestStart: MonotonicInstant? { [pace.pausedUntil, nextStart].compactMap(\.self).max() }
}

/// The average time of the items of a host.
struct HostTiming {
    private var count = 0
    private var sum: Duration = .zero

    var mean: Duration { count > 0 ? sum / count : .zero }

    mutating func note(_ duration: Duration) {
        count += 1
        sum += duration
    }
}
