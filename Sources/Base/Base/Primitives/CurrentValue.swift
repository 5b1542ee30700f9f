/// A value that can change. Tasks can wait for its changes.
///
/// Any thread reads and changes the value. While the lock is held, no task is resumed.
package final class CurrentValue<Value: Sendable>: Sendable {
    private struct State: Sendable {
        var value: Value
        var isFinished = false
        /// The next change; `nil` if no task waits for it.
        var change: AsyncEvent?
    }

    private let state: Guarded<State>

    package init(_ value: Value) { state = Guarded(State(value: value)) }

    // A key path of a generic type would be created in each call, which takes far longer than the lock.
    package var value: Value { state.withLock { $0.value } }

    /// Makes one change, after which each waiting task checks the value again.
    package func update<Result: Sendable>(_ body: (inout Value) -> Result) -> Result { change { body(&$0.value) } }

    /// Ends all current waits. Later waits end at once.
    package func finish() { change { $0.isFinished = true } }

    private func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        let (result, change) = state.withLock { state in
            let result = body(&state)
            return (result, state.change.take())
        }
        change?.signal()
        return result
    }

    /// Waits until a predicate holds. Returns `false` if the task is cancelled, or the value is finished, before that.
    package func wait(until predicate: (Value) -> Bool) async -> Bool {
        while true {
            let (value, isFinished, change) = state.withLock { state in
                let change = state.change ?? AsyncEvent()
                if !state.isFinished { state.change = change }
                return (state.value, state.isFinished, change)
            }
            if predicate(value) { return true }
            if Task.isCancelled || isFinished { return false }
            await change.wait()
        }
    }
}
