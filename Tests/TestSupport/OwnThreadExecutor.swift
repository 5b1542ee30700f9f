import Base
import Dispatch
import Glibc
import NotificationModel

/// An executor that runs jobs one after the other outside of the cooperative pool.
package final class OwnThreadExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "own thread")
    private let running = Guarded<pthread_t?>(nil)

    package init() {}

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async {
            self.running.withLock { $0 = pthread_self() }
            job.runSynchronously(on: self.asUnownedTaskExecutor())
            self.running.withLock { $0 = nil }
        }
    }

    /// Whether the caller runs on this executor.
    package var isCurrent: Bool { running.withLock { $0.map { pthread_equal($0, pthread_self()) != 0 } ?? false } }
}
