/// A counting semaphore for tasks, which takes one permit or several at once. A `PermitQueue` decides.
package final class AsyncSemaphore: Sendable {
    package typealias WaiterToken = PermitQueue.WaiterToken

    private struct State: ~Copyable {
        var queue: PermitQueue
        var waiters: [WaiterToken: @Sendable (Bool) -> Void] = [:]
        /// Tokens that were abandoned before `whenDecided` was called with them.
        var abandoned: Set<WaiterToken> = []

        mutating func take(_ tokens: [WaiterToken]) -> [@Sendable (Bool) -> Void] {
            tokens.compactMap { waiters.removeValue(forKey: $0) }
        }
    }

    private let permits: Int
    private let state: Guarded<State>

    /// - Parameter permits: The number of permits, at least 1. A smaller number is raised to 1.
    package init(permits: Int) {
        self.permits = max(1, permits)
        state = Guarded(State(queue: PermitQueue(permits: self.permits)))
    }

    /// The number of permits that are acquired at the moment.
    package var used: Int { state.withLock { permits - $0.queue.free } }

    /// Acquires permits if they are free and no token waits. Returns whether they must be released.
    package func acquireIfFree(_ count: Int = 1) -> Bool { state.withLock { $0.queue.acquireIfFree(count) } }

    /// Acquires permits, or joins the queue, without waiting.
    ///
    /// - Returns: `nil` if the permits are acquired; otherwise a token. `wait` or `whenDecided` must then be called
    ///   once with the token.
    package func enqueue(_ count: Int = 1) -> WaiterToken? { state.withLock { $0.queue.acquire(count) } }

    /// Calls a waiter when the permits of a token are acquired, or when the token is abandoned.
    ///
    /// - Parameter waiter: A function that is called once. Its argument states whether the permits are acquired and
    ///   must be released. If the token is decided already, the function is called at once.
    package func whenDecided(_ token: WaiterToken, _ waiter: @escaping @Sendable (Bool) -> Void) {
        let answer: Bool? = state.withLock { state in
            if state.abandoned.remove(token) != nil { return false }
            guard state.queue.isWaiting(token) else { return true }
            state.waiters[token] = waiter
            return nil
        }
        if let answer { waiter(answer) }
    }

    /// Waits for the permits of a token. If the task is cancelled, the token is abandoned.
    ///
    /// - Returns: Whether the permits are acquired and must be released; `false` if the token was abandoned.
    package func wait(_ token: WaiterToken) async -> Bool {
        let waiter = Waiter<Bool>()
        whenDecided(token) { waiter.resume(returning: $0) }
        return await waiter.value { _ in self.abandon(token) }
    }

    /// Ends the wait of a token that has no permit yet.
    package func abandon(_ token: WaiterToken) {
        let (abandoned, granted) = state.withLock { state in
            guard let granted = state.queue.abandon(token) else { return (state.take([]), state.take([])) }
            let abandoned = state.take([token])
            if abandoned.isEmpty { state.abandoned.insert(token) }
            return (abandoned, state.take(granted))
        }
        for waiter in abandoned { waiter(false) }
        for waiter in granted { waiter(true) }
    }

    /// Acquires permits, and waits for them if too few are free.
    ///
    /// - Parameter elseWait: A function that is called before a wait.
    /// - Returns: Whether the permits are acquired; `false` if the task was cancelled while it waited.
    package func acquire(_ count: Int = 1, elseWait: () -> Void = {}) async -> Bool {
        guard let token = enqueue(count) else { return true }
        elseWait()
        return await wait(token)
    }

    /// Acquires permits, and waits for them until the instant or until the task is cancelled. Returns whether the
    /// permits are acquired and must be released.
    package func acquire(_ count: Int, until instant: MonotonicInstant, on clock: any RequestClock) async -> Bool {
        guard let token = enqueue(count) else { return true }
        let alarm = clock.alarm(at: instant) { self.abandon(token) }
        defer { alarm.cancel() }
        return await wait(token)
    }

    package func release(_ count: Int = 1) {
        let granted = state.withLock { state in state.take(state.queue.release(count)) }
        for waiter in granted { waiter(true) }
    }
}
