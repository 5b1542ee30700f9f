import NotificationModel

/// How far a batch is.
package struct WarmProgress: Sendable, Equatable {
    /// Items that have ended, those of earlier runs among them.
    package var done = 0
    package var failed = 0
    package var running = 0
    /// All items; `nil` while the sources are read.
    package var total: Int?
    /// Bytes of source files.
    package var bytes = 0
    /// Items a second, over the last seconds.
    package var rate = 0.0
    /// `nil`: the host that is waited for longest is not known.
    package var slowestHost: String?

    package init() {}

    /// The time until all items have ended, at the rate of now; `nil` while it is not known.
    package var remaining: Duration? {
        guard let total, rate > 0 else { return nil }
        return .seconds(Double(max(0, total - done)) / rate)
    }
}

/// Items a second over a window of time.
struct RateMeter {
    private static let window: Duration = .seconds(15)
    private static let step: Duration = .milliseconds(500)

    private var samples: [(instant: MonotonicInstant, count: Int)]

    init(at now: MonotonicInstant) { samples = [(now, 0)] }

    /// - Parameter count: Items that have ended in this run.
    mutating func rate(_ count: Int, at now: MonotonicInstant) -> Double {
        if let last = samples.last, last.instant + Self.step <= now { samples.append((now, count)) }
        while samples.count > 2, samples[1].instant + Self.window <= now { samples.removeFirst() }
        let seconds = samples[0].instant.duration(to: now).seconds
        return seconds > 0 ? Double(count - samples[0].count) / seconds : 0
    }
}
