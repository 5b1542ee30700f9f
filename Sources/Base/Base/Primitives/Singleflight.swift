/// One piece of work for all callers that want the same result at the same time: a `SingleflightTable` with a lock.
///
/// If a waiter's task is cancelled, this waiter leaves, and the other waiters continue to wait. When the last waiter
/// leaves, the work is cancelled, and this waiter waits for the end of the work. The work has the priority of its most
/// urgent waiter.
package final class Singleflight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    package typealias Deadline = @Sendable () -> MonotonicInstant?

    package enum Ending: Sendable {
        /// The work has ended. `isOwn` is set for the waiter that began it.
        case done(Value, isOwn: Bool)
        case left
    }

    private enum Wakeup: Sendable {
        case done(Value)
        case left(abandoned: Task<Void, Never>?)
    }

    private struct State {
        var table = SingleflightTable<Key>()
        var waiters: [UInt64: Waiter<Wakeup>] = [:]
        var tasks: [UInt64: Task<Void, Never>] = [:]
        var last: UInt64 = 0
    }

    private let state = Guarded(State())
    private let executor: (any TaskExecutor)?

    /// - Parameter executor: The executor of the work, which runs in a separate task; `nil` for the cooperative pool.
    package init(on executor: (any TaskExecutor)? = nil) { self.executor = executor }

    /// Waits for the result of the work for a key, and begins the work if it is not running.
    ///
    /// - Parameter work: A function that makes the result. Its parameter returns the latest deadline of all waiters;
    ///   `nil` if there are no waiters.
    package func result(
        for key: Key, until deadline: MonotonicInstant, _ work: @escaping @Sendable (Deadline) async -> Value
    ) async -> Ending {
        guard !Task.isCancelled else { return .left }
        let waiter = Waiter<Wakeup>()
        let priority = Task.currentPriority
        let (id, isOwn) = state.withLock { state in
            state.last += 1
            state.waiters[state.last] = waiter
            switch state.table.join(state.last, key, until: deadline) {
            case .first(let call):
                state.tasks[call] = begin(call, work)
                return (state.last, true)
            case .joined(let call):
                state.tasks[call]?.escalatePriority(to: priority)
                return (state.last, false)
            }
        }
        switch await waiter.value(onCancel: { _ in leave(id) }) {
        case .done(let value): return .done(value, isOwn: isOwn)
        case .left(let abandoned):
            await abandoned?.value
            return .left
        }
    }

    private func leave(_ id: UInt64) {
        let (waiter, abandoned) = state.withLock { state in
            // A cancellation that arrives at the same time as the result has no effect.
            guard let waiter = state.waiters.removeValue(forKey: id) else {
                return (Waiter<Wakeup>?.none, Task<Void, Never>?.none)
            }
            return (waiter, state.table.leave(id).flatMap { state.tasks.removeValue(forKey: $0) })
        }
        abandoned?.cancel()
        waiter?.resume(returning: .left(abandoned: abandoned))
    }

    private func begin(_ call: UInt64, _ work: @escaping @Sendable (Deadline) async -> Value) -> Task<Void, Never> {
        Task(executorPreference: executor) {
            let value = await work { [self] in state.withLock { $0.table.deadline(of: call) } }
            let waiters = self.state.withLock { state in
                state.tasks[call] = nil
                return state.table.finish(call).compactMap { state.waiters.removeValue(forKey: $0) }
            }
            for waiter in waiters { waiter.resume(returning: .done(value)) }
        }
    }
}
