/// Something that happens once, and that any number of tasks wait for: a client has left, the daemon is draining.
package final class OneTimeEvent: Sendable {
    private struct State {
        var hasHappened = false
        var lastID = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Guarded(State())

    package init() {}

    package var hasHappened: Bool { state.withLock { $0.hasHappened } }

    package func happen() {
        let waiting = state.withLock { state in
            state.hasHappened = true
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns when it has happened, or when the task is cancelled.
    package func wait() async {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    // Asked under the lock: the handler below comes either before this or finds the continuation.
                    if state.hasHappened || Task.isCancelled { return true }
                    state.waiting[id] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: id) }?.resume()
        }
    }
}
