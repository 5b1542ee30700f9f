package import Base

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

/// The waits of all loops of the process. The laboratory advances its clocks to the end of the next wait, and then makes
/// the loops look at the time again.
extension EventLoop {
    private struct Reference {
        weak var loop: EventLoop?
    }

    private static let loops = Guarded<[Reference]>([])

    func register() {
        EventLoop.loops.withLock { loops in
            loops.removeAll { $0.loop == nil }
            loops.append(Reference(loop: self))
        }
    }

    private static var all: [EventLoop] { loops.withLock { $0.compactMap(\.loop) } }

    /// The instant at which the next wait of a loop ends; `nil` if all loops wait without an end. The value is exact
    /// while all loops wait.
    package static var nextWaitEnd: MonotonicInstant? { all.compactMap(\.waitEnd).min() }

    /// Makes all loops call the handlers of the timers that are due.
    package static func lookAtTime() { for loop in all { loop.execute {} } }
}
