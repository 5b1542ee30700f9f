import Base
import DequeModule

/// The items of one host, and the rate at which it accepts them.
struct WarmHost {
    var queue: Deque<WarmItem> = []
    var running = 0
    var pace: WarmPace
    /// The time at which the rate permits the next start.
    var nextStart: MonotonicInstant?
    /// Whether the host is in the round-robin queue.
    var isInLine = false
    /// Whether the schedule remembers the host although the host has no items.
    var isRemembered = false
    var timing = HostTiming()
    /// The time at which an item last ended without a refusal; `nil` if all items were refused.
    var lastSuccess: MonotonicInstant?

    func mayStart(at now: MonotonicInstant) -> Bool {
        running < pace.limit && (earliestStart.map { $0 <= now } ?? true)
    }

    /// Whether no item of the host waits or runs.
    var isIdle: Bool { queue.isEmpty && running == 0 && !isInLine }

    /// Returns whether a new host would be treated in the same way. The mean time of items affects only the progress
    /// display.
    func isFresh(at now: MonotonicInstant) -> Bool {
        !isRemembered && pace.isFresh(at: now) && (nextStart.map { $0 <= now } ?? true)
    }

    /// The earliest time of the next start; `nil` if an item may start at any time.
    var earliestStart: MonotonicInstant? { [pace.pausedUntil, nextStart].compactMap(\.self).max() }
}

/// The mean time of the items of a host.
struct HostTiming {
    private var count = 0
    private var sum: Duration = .zero

    var mean: Duration { count > 0 ? sum / count : .zero }

    mutating func note(_ duration: Duration) {
        count += 1
        sum += duration
    }
}
