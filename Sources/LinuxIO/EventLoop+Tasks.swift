package import Primitives

extension EventLoop {
    /// Waits for a task, and cancels it at the instant or with the caller. The function must be called on the loop.
    package func value<Value: Sendable>(of task: Task<Value, Never>, until instant: MonotonicInstant) async -> Value {
        let alarm = schedule(at: instant) { task.cancel() }
        defer { cancel(alarm) }
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }
}

/// An executor for tasks that belong to no actor and prefer an event loop's thread (`Task(executorPreference:)`). A
/// long computation on it does not delay the tasks of the cooperative pool.
///
/// The loop itself is the executor of its actors. A job runs with both executors, so a task that enters or leaves an
/// actor stays on the thread. With the executor of the actor alone, each such step would need the loop once more.
package final class LoopTaskExecutor: TaskExecutor {
    /// The inbox of the loop. The loop owns this executor, which holds an empty inbox if it outlives the loop.
    private let queue: EventLoopInbox

    init(_ queue: EventLoopInbox) { self.queue = queue }

    package func enqueue(_ job: consuming ExecutorJob) { queue.put(.task(UnownedJob(job))) }
}
