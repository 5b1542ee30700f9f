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
