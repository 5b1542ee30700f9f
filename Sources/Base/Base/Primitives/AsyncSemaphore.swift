/// A counting semaphore for tasks, which takes one permit or several at once. A `PermitQueue` decides.
package final class AsyncSemaphore: Sendable {
    package typealias Ticket = PermitQueue.Ticket

    private struct State: ~Copyable {
        var queue: PermitQueue
        var waiters: [Ticket: @Sendable (Bool) -> Void] = [:]
        /// Tickets that were abandoned before `whenDecided` was called with them.
        var abandoned: Set<Ticket> = []

        mutating func take(_ tickets: [Ticket]) -> [@Sendable (Bool) -> Void] {
            tickets.compactMap { waiters.removeValue(forKey: $0) }
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

    /// Acquires permits if they are free and no ticket waits. Returns whether they must be released.
    package func acquireIfFree(_ count: Int = 1) -> Bool { state.withLock { $0.queue.acquireIfFree(count) } }

    /// Acquires permits, or joins the queue, without waiting.
    ///
    /// - Returns: `nil` if the permits are acquired; otherwise a ticket. `wait` or `whenDecided` must then be called
    ///   once with the ticket.
    package func enqueue(_ count: Int = 1) -> Ticket? { state.withLock { $0.queue.acquire(count) } }

    /// Calls a waiter when the permits of a ticket are acquired, or when the ticket is abandoned.
    ///
    /// - Parameter waiter: A function that is called once. Its argument states whether the permits are acquired and
    ///   must be released. If the ticket is decided already, the function is called at once.
    package func whenDecided(_ ticket: Ticket, _ waiter: @escaping @Sendable (Bool) -> Void) {
        let answer: Bool? = state.withLock { state in
            if state.abandoned.remove(ticket) != nil { return false }
            guard state.queue.isWaiting(ticket) else { return true }
            state.waiters[ticket] = waiter
            return nil
        }
        if let answer { waiter(answer) }
    }

    /// Waits for the permits of a ticket. If the task is cancelled, the ticket is abandoned.
    ///
    /// - Returns: Whether the permits are acquired and must be released; `false` if the ticket was abandoned.
    package func wait(_ ticket: Ticket) async -> Bool {
        let waiter = Waiter<Bool>()
        whenDecided(ticket) { waiter.resume(returning: $0) }
        return await waiter.value { _ in self.abandon(ticket) }
    }

    /// Ends the wait of a ticket that has no permit yet.
    package func abandon(_ ticket: Ticket) {
        let (abandoned, granted) = state.withLock { state in
            guard let granted = state.queue.abandon(ticket) else { return (state.take([]), state.take([])) }
            let abandoned = state.take([ticket])
            if abandoned.isEmpty { state.abandoned.insert(ticket) }
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
        guard let ticket = enqueue(count) else { return true }
        elseWait()
        return await wait(ticket)
    }

    /// Acquires permits, and waits for them until the instant or until the task is cancelled. Returns whether the
    /// permits are acquired and must be released.
    package func acquire(_ count: Int, until instant: MonotonicInstant, on clock: any RequestClock) async -> Bool {
        guard let ticket = enqueue(count) else { return true }
        let alarm = clock.alarm(at: instant) { self.abandon(ticket) }
        defer { alarm.cancel() }
        return await wait(ticket)
    }

    package func release(_ count: Int = 1) {
        let granted = state.withLock { state in state.take(state.queue.release(count)) }
        for waiter in granted { waiter(true) }
    }
}
