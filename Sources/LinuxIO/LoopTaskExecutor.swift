/// An event loop's thread, for tasks that are no actor's: they prefer it (`Task(executorPreference:)`).
///
/// The loop itself is the executor of actors. To the runtime, a task that stands on an actor's executor and wants none
/// has to change over, and that is another turn of the loop at each step into a function and out of it.
package final class LoopTaskExecutor: TaskExecutor {
    /// Owns this.
    nonisolated(unsafe) unowned(unsafe) var loop: EventLoop?

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        unsafe loop?.put(.task(job))
    }
}
