package import Base

/// The pace of calls with many lines while single requests arrive.
///
/// A batch without a pace keeps all processors busy, and a single request then takes about six times as long. An import
/// of recipients without a pace keeps the journal busy. Without single requests, these calls have no pace.
package final class LinePace: Sendable {
    /// The number of steps between two pauses, over all calls.
    private static let steps = 2
    private static let pause: Duration = .milliseconds(2)
    /// The time after the last single request for which calls keep the pace.
    private static let patience: Duration = .seconds(1)

    private let clock: any RequestClock
    private let lastSingleRequest: @Sendable () -> MonotonicInstant?
    /// The permit of the one step that begins or pauses.
    private let turn = AsyncSemaphore(permits: 1)
    private let count = Guarded(0)

    /// - Parameter lastSingleRequest: A function that returns when the last single request arrived; `nil` if none did.
    package init(clock: any RequestClock, lastSingleRequest: @escaping @Sendable () -> MonotonicInstant?) {
        self.clock = clock
        self.lastSingleRequest = lastSingleRequest
    }

    /// Whether single requests arrive.
    package var isNeeded: Bool { lastSingleRequest().map { $0.duration(to: clock.now) < Self.patience } ?? false }

    /// Waits until the next step may begin.
    package func wait() async {
        guard isNeeded, await turn.acquire() else { return }
        defer { turn.release() }
        let isLast = count.withLock { count in
            count = (count + 1) % Self.steps
            return count == 0
        }
        if isLast { await clock.sleep(until: clock.now.advanced(by: Self.pause)) }
    }
}
