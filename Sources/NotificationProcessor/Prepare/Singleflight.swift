import NotificationModel

/// One piece of work for all who want the same at the same time: the shell around `SingleflightTable`.
///
/// A follower leaves when its task is cancelled, and takes nothing from the others. The work is cancelled when the last
/// has left, who waits for its end. It runs with the priority of the most urgent follower so far.
final class Singleflight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    typealias Deadline = @Sendable () -> MonotonicInstant?

    enum Ending: Sendable {
        /// `isOwn`: this follower has begun the work.
        case done(Value, isOwn: Bool)
        case left
    }

    private enum Waking: Sendable {
        case done(Value)
        case left(abandoned: Task<Void, Never>?)
    }

    private struct State {
        var ledger = SingleflightTable<Key>()
        var waiting: [UInt64: CheckedContinuation<Waking, Never>] = [:]
        var tasks: [UInt64: Task<Void, Never>] = [:]
        /// Left before they had begun to wait.
        var gone: Set<UInt64> = []
        var last: UInt64 = 0
    }

    private let state = Guarded(State())
    private let executor: (any TaskExecutor)?

    /// - Parameter executor: runs the work, which is no follower's task; `nil`: the pool.
    init(on executor: (any TaskExecutor)? = nil) { self.executor = executor }

    /// - Parameter work: is told until when somebody waits for it, `nil` when nobody does.
    func result(
        for key: Key, until deadline: MonotonicInstant, _ work: @escaping @Sendable (Deadline) async -> Value
    ) async -> Ending {
        let id = state.withLock { state in
            state.last += 1
            return state.last
        }
        let isOwn = Guarded(false)
        let priority = Task.currentPriority
        let waking = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isGone = state.withLock { state in
                    if state.gone.remove(id) != nil { return true }
                    state.waiting[id] = continuation
                    switch state.ledger.join(id, key, until: deadline) {
                    case .first(let flight):
                        isOwn.withLock { $0 = true }
                        state.tasks[flight] = begin(flight, work)
                    case .joined(let flight): state.tasks[flight]?.escalatePriority(to: priority)
                    }
                    return false
                }
                if isGone { continuation.resume(returning: .left(abandoned: nil)) }
            }
        } onCancel: {
            leave(id)
        }
        // A cancel that came with the result is of no interest.
        _ = state.withLock { $0.gone.remove(id) }
        switch waking {
        case .done(let value): return .done(value, isOwn: isOwn.withLock { $0 })
        case .left(let abandoned):
            await abandoned?.value
            return .left
        }
    }

    private func leave(_ id: UInt64) {
        let (continuation, abandoned) = state.withLock { state in
            guard let continuation = state.waiting.removeValue(forKey: id) else {
                state.gone.insert(id)
                return (CheckedContinuation<Waking, Never>?.none, Task<Void, Never>?.none)
            }
            return (continuation, state.ledger.leave(id).flatMap { state.tasks.removeValue(forKey: $0) })
        }
        abandoned?.cancel()
        continuation?.resume(returning: .left(abandoned: abandoned))
    }

    private func begin(_ flight: UInt64, _ work: @escaping @Sendable (Deadline) async -> Value) -> Task<Void, Never> {
        Task(executorPreference: executor) {
            let value = await work { [self] in state.withLock { $0.ledger.deadline(of: flight) } }
            let waiters = self.state.withLock { state in
                state.tasks[flight] = nil
                return state.ledger.finish(flight).compactMap { state.waiting.removeValue(forKey: $0) }
            }
            for waiter in waiters { waiter.resume(returning: .done(value)) }
        }
    }
}
