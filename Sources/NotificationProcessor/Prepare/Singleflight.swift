import NotificationModel

/// A singleflight runs one piece of work for all callers that want the same result at the same time. It is the lock
/// around a `SingleflightTable`.
///
/// If a waiter's task is cancelled, this waiter leaves, and the other waiters continue to wait. When the last waiter
/// leaves, the work is cancelled, and this waiter waits for the end of the work. The work runs with the priority of the
/// most urgent waiter so far.
final class Singleflight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    typealias Deadline = @Sendable () -> MonotonicInstant?

    enum Ending: Sendable {
        /// The work has ended. `isOwn` is set for the waiter that began it.
        case done(Value, isOwn: Bool)
        case left
    }

    private enum Waking: Sendable {
        case done(Value)
        case left(abandoned: Task<Void, Never>?)
    }

    private struct State {
        var table = SingleflightTable<Key>()
        var waiting: [UInt64: CheckedContinuation<Waking, Never>] = [:]
        var tasks: [UInt64: Task<Void, Never>] = [:]
        /// The waiters that left before they began to wait.
        var gone: Set<UInt64> = []
        var last: UInt64 = 0
    }

    private let state = Guarded(State())
    private let executor: (any TaskExecutor)?

    /// - Parameter executor: The executor of the work, which runs in a task of its own; `nil` if the work runs on the
    ///   cooperative pool.
    init(on executor: (any TaskExecutor)? = nil) { self.executor = executor }

    /// Waits for the result of the work for a key, and begins the work if it is not running.
    ///
    /// - Parameter work: A function that makes the result. Its parameter returns the latest deadline of all waiters;
    ///   `nil` if there are no waiters.
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
                    switch state.table.join(id, key, until: deadline) {
                    case .first(let call):
                        isOwn.withLock { $0 = true }
                        state.tasks[call] = begin(call, work)
                    case .joined(let call): state.tasks[call]?.escalatePriority(to: priority)
                    }
                    return false
                }
                if isGone { continuation.resume(returning: .left(abandoned: nil)) }
            }
        } onCancel: {
            leave(id)
        }
        // A cancellation that arrives at the same time as the result has no effect.
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
            return (continuation, state.table.leave(id).flatMap { state.tasks.removeValue(forKey: $0) })
        }
        abandoned?.cancel()
        continuation?.resume(returning: .left(abandoned: abandoned))
    }

    private func begin(_ call: UInt64, _ work: @escaping @Sendable (Deadline) async -> Value) -> Task<Void, Never> {
        Task(executorPreference: executor) {
            let value = await work { [self] in state.withLock { $0.table.deadline(of: call) } }
            let waiters = self.state.withLock { state in
                state.tasks[call] = nil
                return state.table.finish(call).compactMap { state.waiting.removeValue(forKey: $0) }
            }
            for waiter in waiters { waiter.resume(returning: .done(value)) }
        }
    }
}
