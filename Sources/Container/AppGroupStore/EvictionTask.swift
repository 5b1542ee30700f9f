package import Base
package import NotificationModel

/// A task that evicts files from the containers, once a minute and when the stored bytes exceed the quota.
package final class EvictionTask: Sendable {
    private struct State {
        var limits: ContainerLimits
        /// The number of stored bytes that this process has counted. Other processes also store files.
        var keptBytes = 0
    }

    private let store: AppGroupStore
    private let clock: any RequestClock
    private let report: @Sendable (EvictionReport) -> Void
    private let state: Guarded<State>
    private let calls: (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation)

    /// - Parameter report: A closure that receives the result of each eviction.
    package init(
        _ store: AppGroupStore, limits: ContainerLimits, clock: any RequestClock,
        report: @escaping @Sendable (EvictionReport) -> Void
    ) {
        self.store = store
        self.clock = clock
        self.report = report
        state = Guarded(State(limits: limits))
        calls = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Changes the limits, and starts an eviction with them at once.
    package func change(_ limits: ContainerLimits) {
        state.withLock { $0.limits = limits }
        calls.continuation.yield()
    }

    /// Reconciles all groups, then evicts files until the task is cancelled.
    package func run() async {
        await store.tellStored { [weak self] in self?.count($0) }
        await store.reconcile(at: clock.date)
        await withDiscardingTaskGroup { group in
            group.addTask {
                while !Task.isCancelled {
                    self.calls.continuation.yield()
                    await self.clock.sleep(until: self.clock.now.advanced(by: .seconds(60)))
                }
            }
            for await _ in calls.stream {
                let looked = await store.evict(within: state.withLock { $0.limits }, at: clock.date)
                state.withLock { $0.keptBytes = looked.keptBytes }
                report(looked)
            }
            group.cancelAll()
        }
    }

    private func count(_ bytes: Int) {
        let isOver = state.withLock { state in
            state.keptBytes += bytes
            return state.keptBytes > state.limits.quota
        }
        if isOver { calls.continuation.yield() }
    }
}

/// The result of one eviction over all groups.
package struct EvictionReport: Sendable, Equatable {
    /// The reason why the remaining files exceed the quota.
    package enum Excess: Sendable {
        /// Each remaining file is leased: a request, or a message that arrives later, needs it.
        case filesInUse
        /// A file could not be removed, or the index of a group could not be used. The store has reported the error.
        case evictionFailed
    }

    /// The number of files that were removed because their retention had passed.
    package var expiredFiles = 0
    /// The number of files that were removed because of the quota, the least recently used files first.
    package var evictedFiles = 0
    /// The number of bytes of all removed files.
    package var freedBytes = 0
    /// The number of bytes of the remaining files, without groups whose index could not be used.
    package var keptBytes = 0
    /// The reason why the quota is exceeded; `nil` if the remaining files are within it.
    package var excess: Excess?
}
