package import Primitives

/// A limit for the starts of workers. The type has no side effects.
///
/// A start costs about 20 ms of a processor. Workers that crash at each job, or are killed at each deadline, must not
/// use all processors with their starts. Serves the threat model: media files that crash workers again and again.
package struct StartBudget {
    /// The number of starts at one time, for each worker.
    private static let burst = 4
    /// The time between starts after the first `burst` starts, for each worker. The starts then take a fifth of a
    /// processor.
    private static let interval = Duration.milliseconds(100)

    private let size: Int
    /// The instant until which the starts so far use the budget; `nil` before the first start.
    private var usedUntil: MonotonicInstant?

    /// Creates an unused budget.
    ///
    /// - Parameter size: The number of workers of the pool.
    package init(size: Int) { self.size = max(1, size) }

    /// Uses one start of the budget.
    ///
    /// - Returns: Whether a start is allowed now.
    package mutating func take(at now: MonotonicInstant) -> Bool {
        let next = max(usedUntil ?? now, now) + Self.interval / size
        guard now.duration(to: next) <= Self.interval * Self.burst else { return false }
        usedUntil = next
        return true
    }
}
