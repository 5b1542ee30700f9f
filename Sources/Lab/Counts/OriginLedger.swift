import NotificationModel

/// The table of the counts, which resumes tasks that wait for a change.
///
/// The event loop writes, and any thread reads. While the lock is held, no continuation is resumed and no code of a
/// caller runs.
final class OriginLedger: Sendable {
    private struct Waiter {
        var id: UInt64
        var continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var counts = OriginCounts()
        /// The number of changes, by which a waiter recognises that its copy of the counts is out of date.
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

    /// Whether the origin itself closes its connections. If it does, the end of a connection is not a disconnect of the
    /// client.
    var isStopping: Bool { state.withLock { $0.phase != .running } }

    /// Makes one change and resumes all waiters.
    func record<Result: Sendable>(_ change: (inout OriginCounts) -> Result) -> Result {
        let (result, waiters) = state.withLock { state in
            let result = change(&state.counts)
            state.version += 1
            return (result, Self.takeWaiters(&state))
        }
        for waiter in waiters { waiter.continuation.resume() }
        return result
    }

    /// Records that the origin closes its connections from now on. Returns `false` if an earlier call has recorded the
    /// stop.
    func beginStop() -> Bool {
        state.withLock { state in
            defer { if state.phase == .running { state.phase = .stopping } }
            return state.phase == .running
        }
    }

    /// Ends all waits. No change follows.
    func endStop() {
        let waiters = state.withLock { state in
            state.phase = .stopped
            return Self.takeWaiters(&state)
        }
        for waiter in waiters { waiter.continuation.resume() }
    }

    /// Waits until `predicate` holds. Returns `false` if the task is cancelled, or the origin is stopped, before the
    /// predicate holds.
    func waitUntil(_ predicate: (OriginCounts) -> Bool) async -> Bool {
        while true {
            let (counts, version, phase) = state.withLock { ($0.counts, $0.version, $0.phase) }
            if predicate(counts) { return true }
            if Task.isCancelled || phase == .stopped { return false }
            await nextChange(after: version)
        }
    }

    /// Waits until the counts have another version, the task is cancelled, or the origin is stopped.
    private func nextChange(after version: UInt64) async {
        let id = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let goesOn = state.withLock { state in
                    // The flag of the task is set before its handler runs. If the handler finds no waiter, this check
                    // sees the flag. If the task is cancelled after this lock, the handler finds the waiter.
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
