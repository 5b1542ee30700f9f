import NotificationModel

/// Runs tasks only while the test turns it, so that a race is a list of steps: the same in every run.
///
/// Child tasks stay with it. Without a generator jobs run in the order in which they became ready; with one, any that is
/// ready may be next.
package final class TurnedExecutor: TaskExecutor {
    private let ready = Guarded<[UnownedJob]>([])
    private let isFree = Guarded(false)

    package init() {}

    /// From now on jobs run by themselves.
    package func letGo() { isFree.withLock { $0 = true } }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if isFree.withLock({ $0 }) { return globalConcurrentExecutor.enqueue(job) }
        ready.withLock { $0.append(job) }
    }

    /// Runs until nothing is ready, or at most this number of jobs.
    package func turn(atMost count: Int = .max) {
        for _ in 0..<count {
            guard let job = ready.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return }
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }

    /// Runs one job of those that are ready.
    ///
    /// - Returns: `false` when none was.
    package func turnOne(using generator: inout some RandomNumberGenerator) -> Bool {
        let job = ready.withLock { ready -> UnownedJob? in
            guard !ready.isEmpty else { return nil }
            return ready.remove(at: Int.random(in: 0..<ready.count, using: &generator))
        }
        job?.runSynchronously(on: asUnownedTaskExecutor())
        return job != nil
    }
}
