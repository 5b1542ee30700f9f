/// An event that happens once, and for which any number of tasks wait, such as the disconnection of a client.
package final class AsyncEvent: Sendable {
    private struct State {
        var isSignalled = false
        var lastID = 0
        var actions: [Int: @Sendable () -> Void] = [:]
    }

    private let state = Guarded(State())

    package init() {}

    package var isSignalled: Bool { state.withLock { $0.isSignalled } }

    package func signal() {
        let actions = state.withLock { state in
            state.isSignalled = true
            defer { state.actions = [:] }
            return Array(state.actions.values)
        }
        for action in actions { action() }
    }

    /// Calls an action when the event is signalled. After the signal, the action is called at once.
    ///
    /// - Returns: A number that identifies the action for `forget`.
    package func whenSignalled(_ action: @escaping @Sendable () -> Void) -> Int {
        let (id, isOver) = state.withLock { state in
            state.lastID += 1
            if !state.isSignalled { state.actions[state.lastID] = action }
            return (state.lastID, state.isSignalled)
        }
        if isOver { action() }
        return id
    }

    /// Removes an action that has not been called.
    package func forget(_ id: Int) { state.withLock { _ = $0.actions.removeValue(forKey: id) } }

    /// Waits until the event is signalled or the task is cancelled.
    package func wait() async {
        await withWaiter { await $0.value { $0.resume() } }
    }

    /// Waits until the event is signalled, the instant comes, or the task is cancelled.
    package func wait(until instant: MonotonicInstant, on clock: any RequestClock) async {
        await withWaiter { waiter in
            let alarm = clock.alarm(at: instant) { waiter.resume() }
            defer { alarm.cancel() }
            await waiter.value { $0.resume() }
        }
    }

    /// Waits until the event is signalled. A cancelled task also waits, because its caller depends on the event. For
    /// example, a result is being written to the disk.
    package func waitUninterrupted() async {
        await withWaiter { await $0.value() }
    }

    private func withWaiter(_ wait: (Waiter<Void>) async -> Void) async {
        let waiter = Waiter<Void>()
        let id = whenSignalled { waiter.resume() }
        defer { forget(id) }
        await wait(waiter)
    }
}
