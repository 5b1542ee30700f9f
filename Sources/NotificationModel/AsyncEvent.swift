/// An event that happens once, and for which any number of tasks wait. Examples: a client disconnects, the daemon
/// drains.
package final class AsyncEvent: Sendable {
    private struct State {
        var isSignalled = false
        var lastID = 0
        var waiting: [Int: @Sendable () -> Void] = [:]
    }

    private let state = Guarded(State())

    package init() {}

    package var isSignalled: Bool { state.withLock { $0.isSignalled } }

    package func signal() {
        let waiting = state.withLock { state in
            state.isSignalled = true
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for action in waiting { action() }
    }

    /// Calls an action when the event is signalled. If the event has been signalled already, the action is called at
    /// once.
    ///
    /// - Returns: A number that identifies the action for `forget`.
    package func whenSignalled(_ action: @escaping @Sendable () -> Void) -> Int {
        let (id, isOver) = state.withLock { state in
            state.lastID += 1
            if !state.isSignalled { state.waiting[state.lastID] = action }
            return (state.lastID, state.isSignalled)
        }
        if isOver { action() }
        return id
    }

    /// Removes an action that has not been called.
    package func forget(_ id: Int) { state.withLock { _ = $0.waiting.removeValue(forKey: id) } }

    /// Waits until the event is signalled or the task is cancelled.
    package func wait() async {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    // The lock orders this check and the cancellation handler below. The handler runs before this
                    // check, or finds the continuation.
                    if state.isSignalled || Task.isCancelled { return true }
                    state.waiting[id] = { continuation.resume() }
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: id) }?()
        }
    }
}
