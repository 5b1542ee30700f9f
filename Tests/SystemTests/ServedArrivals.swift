import NotificationModel

/// What has come so far, and those who wait for more.
final class ServedArrivals<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var isFinished = false
        var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
        var lastWatcher = 0
    }

    /// What was waited for has not come, and will not.
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

    /// Nothing more comes.
    func finish() {
        for watcher in state.withLock({ state in
            state.isFinished = true
            return Array(state.watchers.values)
        }) { watcher.finish() }
    }

    /// Returns what is looked for as soon as it can be found.
    ///
    /// - Throws: ``NeverCame`` where nothing more comes, or the task is cancelled.
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

    /// Returns when there are so many.
    func wait(forCount count: Int) async throws { try await wait { $0.count >= count ? true : nil } }

    /// The first that is meant.
    @discardableResult
    func first(where isMeant: (Element) -> Bool) async throws -> Element {
        try await wait { $0.first(where: isMeant) }
    }
}
