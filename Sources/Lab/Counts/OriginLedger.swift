import Primitives

/// The counts of an origin, and whether it stops.
///
/// The event loop writes, and any thread reads and waits for a change.
final class OriginLedger: Sendable {
    private let current = CurrentValue(OriginCounts())
    private let hasBegunToStop = Guarded(false)

    var counts: OriginCounts { current.value }

    /// Whether the origin itself closes its connections. The end of a connection is then not a disconnect of the
    /// client.
    var isStopping: Bool { hasBegunToStop.withLock(\.self) }

    /// Makes one change and resumes all waiters.
    func record<Result: Sendable>(_ change: (inout OriginCounts) -> Result) -> Result { current.update(change) }

    /// Records that the origin closes its connections from now on. Returns `false` if an earlier call has recorded the
    /// stop.
    func beginStop() -> Bool {
        hasBegunToStop.withLock { hasBegun in
            defer { hasBegun = true }
            return !hasBegun
        }
    }

    /// Ends all waits. No change follows.
    func endStop() { current.finish() }

    /// Waits until `predicate` holds. Returns `false` if the task is cancelled, or the origin is stopped, before the
    /// predicate holds.
    func waitUntil(_ predicate: (OriginCounts) -> Bool) async -> Bool { await current.wait(until: predicate) }
}
