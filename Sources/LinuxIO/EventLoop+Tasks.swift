package import NotificationModel

extension EventLoop {
    /// Waits for a task, which is cancelled at the instant, or with the caller. On the loop.
    package func value<Value: Sendable>(
        of task: Task<Value, Never>, until instant: MonotonicInstant
    ) async -> Value {
        let alarm = schedule(at: instant) { task.cancel() }
        defer { cancel(alarm) }
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }
}

/// An event loop's thread, for tasks that are no actor's: they prefer it (`Task(executorPreference:)`).
///
/// The loop itself is the executor of actors. To the runtime, a task that stands on an actor's executor and wants none
/// has to change over, and that is another turn of the loop at each step into a function and out of it.
package final class LoopTaskExecutor: TaskExecutor {
    /// Not the loop, which owns this: who holds the executor for longer than that holds an empty queue.
    private let queue: EventLoopInbox

    init(_ queue: EventLoopInbox) { self.queue = queue }

    package func enqueue(_ job: consuming ExecutorJob) { queue.put(.task(UnownedJob(job))) }
}

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
