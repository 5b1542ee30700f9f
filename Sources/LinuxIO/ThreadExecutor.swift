/// One owned thread on which tasks run instead of the cooperative pool, one step after the other: what computes for long
/// keeps nobody else waiting there.
///
/// The owner calls `shutdown`, last of all: tasks that are still on it do not go on.
package final class ThreadExecutor: TaskExecutor {
    private let loop: EventLoop

    /// - Parameter name: of the thread, at most 15 bytes.
    package init(name: String) throws(SystemError) { loop = try EventLoop.start(name: name) }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Ends the thread and joins it. Not from the thread itself.
    package func shutdown() { loop.shutdown() }
}
