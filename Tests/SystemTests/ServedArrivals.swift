import Base
import NotificationModel

/// The elements that have arrived so far, and the tasks that wait for more of them.
final class ServedArrivals<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var isFinished = false
        var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
        var lastWatcher = 0
    }

    /// The awaited element has not arrived, and no more elements will arrive.
    struct NeverCame: Error, CustomStringConvertible {
        let last: [Element]
        var description: String { "the expected element did not arrive; the last ones are \(last)" }
    }

    private let state = Guarded(State())

    var elements: [Element] { state.withLock { $0.elements } }

    func append(_ element: Element) {
        for watcher in state.withLock({ state in
            state.elements.append(element)
            return Array(state.watchers.values)
        }) { watcher.yield() }
    }

    /// Ends the arrivals. No element may be appended after this call.
    func finish() {
        for watcher in state.withLock({ state in
            state.isFinished = true
            return Array(state.watchers.values)
        }) { watcher.finish() }
    }

    /// Waits until a function finds a value in the elements, and returns the value.
    ///
    /// - Throws: ``NeverCame`` if the arrivals have ended without the value, or if the task is cancelled.
    @discardableResult
    func wait<Value>(until find: ([Element]) -> Value?) async throws -> Value {
        let (changes, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let (watcher, isFinished) = state.withLock { state in
            state.lastWatcher += 1
            state.watchers[state.lastWatcher] = change
            return (state.lastWatcher, state.isFinished)
        }
        defer { state.withLock { _ = $0.watchers.removeValue(forKey: watcher) } }
        if isFinished { change.finish() }
        if let value = find(elements) { return value }
        for await _ in changes {
            if let value = find(elements) { return value }
        }
        if let value = find(elements) { return value }
        throw NeverCame(last: elements.suffix(20))
    }

    /// Waits until there are this many elements.
    func wait(forCount count: Int) async throws { try await wait { $0.count >= count ? true : nil } }

    /// Waits for the first element that a function accepts, and returns it.
    @discardableResult
    func first(where isMeant: (Element) -> Bool) async throws -> Element {
        try await wait { $0.first(where: isMeant) }
    }
}
