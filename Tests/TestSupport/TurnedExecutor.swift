import Base
import NotificationModel

/// An executor that runs tasks only while the test calls it. A test can thus run a race as a list of steps, in the same
/// order each time.
///
/// Child tasks stay on the executor. Without a generator, jobs run in the order in which they became ready. With a
/// generator, any ready job may be next.
package final class TurnedExecutor: TaskExecutor {
    private let ready = Guarded<[UnownedJob]>([])
    private let isFree = Guarded(false)

    package init() {}

    /// Lets all later jobs run on the cooperative pool.
    package func letGo() { isFree.withLock { $0 = true } }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if isFree.withLock({ $0 }) { return globalConcurrentExecutor.enqueue(job) }
        ready.withLock { $0.append(job) }
    }

    /// Runs jobs until none is ready, or until `count` jobs have run.
    package func turn(atMost count: Int = .max) {
        for _ in 0..<count {
            guard let job = ready.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return }
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }

    /// Runs one of the ready jobs, which the generator selects.
    ///
    /// - Returns: `false` if no job was ready.
    package func turnOne(using generator: inout some RandomNumberGenerator) -> Bool {
        let job = ready.withLock { ready -> UnownedJob? in
            guard !ready.isEmpty else { return nil }
            return ready.remove(at: Int.random(in: 0..<ready.count, using: &generator))
        }
        job?.runSynchronously(on: asUnownedTaskExecutor())
        return job != nil
    }
}
