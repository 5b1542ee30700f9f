import NotificationModel

/// Keeps the counts, and wakes those who wait for them to change.
///
/// The event loop writes, anybody reads; no continuation is resumed and no foreign code runs under the lock.
final class OriginLedger: Sendable {
    private struct Waiter {
        var id: UInt64
        var continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var counts = OriginCounts()
        /// Grows with every change, so that a waiter knows whether its look is out of date.
        var version: UInt64 = 0
        var waiters: [Waiter] = []
        var nextWaiter: UInt64 = 0
        var phase = Phase.running
    }

    private enum Phase {
        case running, stopping, stopped
    }

    private let state = Guarded(State())

    var counts: OriginCounts { state.withLock(\.counts) }

    /// Whether the origin itself is closing its connections: then an end of one is no client's disconnect.
    var isStopping: Bool { state.withLock { $0.phase != .running } }

    /// Makes one change and wakes all waiters.
    func record<Result: Sendable>(_ change: (inout OriginCounts) -> Result) -> Result {
        let (result, waiters) = state.withLock { state in
            let result = change(&state.counts)
            state.version += 1
            return (result, Self.takeWaiters(&state))
        }
        for waiter in waiters { waiter.continuation.resume() }
        return result
    }

    /// From here on the origin closes connections itself. `false` where that has begun already.
    func beginStop() -> Bool {
        state.withLock { state in
            defer { if state.phase == .running { state.phase = .stopping } }
            return state.phase == .running
        }
    }

    /// No change comes after this; whoever still waits is let go.
    func endStop() {
        let waiters = state.withLock { state in
            state.phase = .stopped
            return Self.takeWaiters(&state)
        }
        for waiter in waiters { waiter.continuation.resume() }
    }

    /// Suspends until `predicate` holds; `false` where it does not and the task is cancelled or the origin stopped.
    func waitUntil(_ predicate: (OriginCounts) -> Bool) async -> Bool {
        while true {
            let (counts, version, phase) = state.withLock { ($0.counts, $0.version, $0.phase) }
            if predicate(counts) { return true }
            if Task.isCancelled || phase == .stopped { return false }
            await nextChange(after: version)
        }
    }

    /// Returns as soon as the counts are of another version, the task is cancelled, or the origin has stopped.
    private func nextChange(after version: UInt64) async {
        let id = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let goesOn = state.withLock { state in
                    // The task's flag is set before its handler runs: a cancel that finds no waiter to remove is seen
                    // here, one that comes after this lock finds the waiter.
                    if state.version != version || state.phase == .stopped || Task.isCancelled { return true }
                    state.waiters.append(Waiter(id: id, continuation: continuation))
                    return false
                }
                if goesOn { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
            }
            waiter?.continuation.resume()
        }
    }

    private static func takeWaiters(_ state: inout State) -> [Waiter] {
        defer { state.waiters = [] }
        return state.waiters
    }
}
