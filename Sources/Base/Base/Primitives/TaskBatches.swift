/// A collector of tasks that arrive within a short time. It resumes these tasks together, as a batch.
///
/// A task that is resumed alone wakes each thread that it needs, and its data is no longer in the caches of the
/// processor. Tasks that are resumed together share this cost, and the journal commits their results in one
/// transaction. A task waits only if the previous batch had more than one task. A caller that sends one request after
/// the other therefore waits in at most every second batch.
package final class TaskBatches: Sendable {
    private struct State {
        var waiters: [Waiter<Void>] = []
        /// The number of tasks in the current batch, including those that did not wait; 0 if there is no batch.
        var count = 0
        /// Whether the tasks of the current batch continue without waiting.
        var isLetThrough = true
    }

    private let clock: any RequestClock
    private let length: Duration
    private let state = Guarded(State())

    /// - Parameter length: The time from the first task of a batch to the end of the batch.
    package init(clock: any RequestClock, length: Duration) {
        self.clock = clock
        self.length = length
    }

    /// Waits until the current batch ends. If there is no batch, a new batch begins. A cancelled task also waits.
    package func waitForEnd() async {
        let waiter = Waiter<Void>()
        let (isFirst, isLetThrough) = state.withLock { state in
            state.count += 1
            if !state.isLetThrough { state.waiters.append(waiter) }
            return (state.count == 1, state.isLetThrough)
        }
        if isFirst { _ = clock.alarm(at: clock.now.advanced(by: length)) { [self] in end() } }
        if !isLetThrough { await waiter.value() }
    }

    private func end() {
        let waiters = state.withLock { state in
            defer { state = State(isLetThrough: state.count == 1) }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}
