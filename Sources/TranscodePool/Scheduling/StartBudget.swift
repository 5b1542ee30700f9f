package import Primitives

/// A token bucket that limits the starts of workers. The type has no side effects.
///
/// A start costs about 20 ms of a processor. Workers that crash at each job, or are killed at each deadline, must not
/// use all processors with their starts.
package struct StartBudget {
    /// The number of starts at one time, for each worker.
    private static let burst = 4.0
    /// The number of starts per second after the first `burst` starts, for each worker. At 20 ms each, they take a
    /// fifth of a processor.
    private static let rate = 10.0

    private let size: Double
    private var tokens: Double
    private var counted: MonotonicInstant?

    /// Creates a full bucket.
    ///
    /// - Parameter size: The number of workers of the pool.
    package init(size: Int) {
        self.size = Double(max(1, size))
        tokens = self.size * Self.burst
    }

    /// Returns the instant of the next allowed start, or `nil` if a start is allowed now.
    package mutating func wait(at now: MonotonicInstant) -> MonotonicInstant? {
        let rate = size * Self.rate
        if let counted {
            tokens = min(size * Self.burst, tokens + max(0, counted.duration(to: now).seconds) * rate)
        }
        counted = now
        return tokens < 1 ? now + .seconds((1 - tokens) / rate) + .microseconds(1) : nil
    }

    /// Uses a start that `wait` has allowed.
    package mutating func take() { tokens -= 1 }
}
