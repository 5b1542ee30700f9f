/// Makes tasks wait for a short time, so that those that arrive within this time go on together.
///
/// A task that goes on alone wakes each thread that it needs, and finds the caches of the processor full of other work.
/// Tasks that go on together share this cost, and the journal commits their results in one transaction.
package final class TaskRounds: Sendable {
    private let clock: any RequestClock
    private let length: Duration
    private let waiting = Guarded<[CheckedContinuation<Void, Never>]>([])

    /// - Parameter length: of a round. The first task of a round waits for so long, and the others for less.
    package init(clock: any RequestClock, length: Duration) {
        self.clock = clock
        self.length = length
    }

    /// Waits until the current round ends. If there is no round, one begins. A task that is cancelled waits as well.
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
