import Base

/// The progress of a batch.
package struct WarmProgress: Sendable, Equatable {
    /// The number of items that have ended, including those of earlier runs.
    package var done = 0
    package var failed = 0
    package var running = 0
    /// The number of all items; `nil` while the sources are read.
    package var total: Int?
    /// The size of the source files that were read, in bytes.
    package var bytes = 0
    /// The number of items per second, over the last 15 seconds.
    package var rate = 0.0
    /// The host that delays the batch the most; `nil` if it is unknown.
    package var slowestHost: String?

    package init() {}

    /// The time until all items have ended, at the current rate; `nil` while it is unknown.
    package var remaining: Duration? {
        guard let total, rate > 0 else { return nil }
        return .seconds(Double(max(0, total - done)) / rate)
    }
}

/// A meter that counts the items per second over a window of time.
struct RateMeter {
    private static let window: Duration = .seconds(15)
    private static let step: Duration = .milliseconds(500)

    private var samples: [(instant: MonotonicInstant, count: Int)]

    init(at now: MonotonicInstant) { samples = [(now, 0)] }

    /// Returns the number of items per second. `count` is the number of items that have ended in this run.
    mutating func rate(_ count: Int, at now: MonotonicInstant) -> Double {
        if let last = samples.last, last.instant + Self.step <= now { samples.append((now, count)) }
        while samples.count > 2, samples[1].instant + Self.window <= now { samples.removeFirst() }
        let seconds = samples[0].instant.duration(to: now).seconds
        return seconds > 0 ? Double(count - samples[0].count) / seconds : 0
    }
}

extension JSONValue {
    /// The integer of a journal or of a daemon's response, clamped to 0…2^50; 0 if the value is not an integer.
    var count: Int { min(max(0, integer ?? 0), 1 << 50) }
}

extension Int {
    /// Adds a number. A sum that is too large becomes `Int.max`.
    mutating func add(clamping number: Int) {
        let (sum, isTooLarge) = addingReportingOverflow(number)
        self = isTooLarge ? .max : sum
    }
}
