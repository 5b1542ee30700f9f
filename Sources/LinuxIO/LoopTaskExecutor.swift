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
