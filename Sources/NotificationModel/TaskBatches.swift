/// Collects tasks that arrive within a short time, and resumes them together.
///
/// A task that is resumed alone wakes each thread that it needs, and finds the caches of the processor full of other work.
/// Tasks that are resumed together share this cost, and the journal commits their results in one transaction.
package final class TaskBatches: Sendable {
    private let clock: any RequestClock
    private let length: Duration
    private let waiting = Guarded<[CheckedContinuation<Void, Never>]>([])

    /// - Parameter length: the time from the first task of a batch to the end of the batch.
    package init(clock: any RequestClock, length: Duration) {
        self.clock = clock
        self.length = length
    }

    /// Waits until the current batch ends. If there is no batch, one begins. A task that is cancelled waits as well.
    package func waitForEnd() async {
        await withCheckedContinuation { continuation in
            let isFirst = waiting.withLock { waiting in
                waiting.append(continuation)
                return waiting.count == 1
            }
            guard isFirst else { return }
            _ = clock.alarm(at: clock.now.advanced(by: length)) { [self] in
                let tasks = waiting.withLock { waiting in
                    defer { waiting = [] }
                    return waiting
                }
                for task in tasks { task.resume() }
            }
        }
    }
}
