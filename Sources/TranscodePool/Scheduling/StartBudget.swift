package import NotificationModel

/// How often workers may be started: a token bucket. Pure.
///
/// A start costs some 20 ms of a processor. Workers that crash at each job, or are killed at each deadline, must not use up
/// the processors with their starts.
package struct StartBudget {
    /// Starts at once, for each worker.
    private static let burst = 4.0
    /// Starts a second after that, for each worker: a fifth of a processor.
    private static let rate = 10.0

    private let size: Double
    private var tokens: Double
    private var counted: MonotonicInstant?

    /// - Parameter size: of the pool.
    package init(size: Int) {
        self.size = Double(max(1, size))
        tokens = self.size * Self.burst
    }

    /// When the next start is allowed; `nil`: now.
    package mutating func wait(at now: MonotonicInstant) -> MonotonicInstant? {
        let rate = size * Self.rate
        if let counted {
            tokens = min(size * Self.burst, tokens + max(0, counted.duration(to: now).seconds) * rate)
        }
        counted = now
        return tokens < 1 ? now + .seconds((1 - tokens) / rate) + .microseconds(1) : nil
    }

    /// Takes a start that `wait` has allowed.
    package mutating func take() { tokens -= 1 }
}
