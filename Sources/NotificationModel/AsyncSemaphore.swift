/// A counting semaphore for tasks. It adds a lock and waiters to `PermitQueue`.
package final class AsyncSemaphore: Sendable {
    package typealias Ticket = PermitQueue.Ticket

    private struct State: ~Copyable {
        var queue: PermitQueue
        var waiters: [Ticket: @Sendable (Bool) -> Void] = [:]
        /// Tickets that were abandoned before `whenDecided` was called with them.
        var abandoned: Set<Ticket> = []
    }

    private let state: Guarded<State>

    /// - Parameter permits: The number of permits, at least 1. A smaller number is raised to 1.
    package init(permits: Int) { state = Guarded(State(queue: PermitQueue(permits: max(1, permits)))) }

    /// Acquires a permit, or joins the queue, without waiting.
    ///
    /// - Returns: `nil` if the permit is acquired; otherwise a ticket. `wait` or `whenDecided` must be called once with
    ///   it.
    package func enqueue() -> Ticket? { state.withLock { $0.queue.acquire() } }

    /// Calls a waiter when the permit of a ticket is acquired, or when the ticket is abandoned.
    ///
    /// - Parameter waiter: A function that is called once. Its argument is whether the permit is acquired and must be
    ///   released. If the ticket is decided already, the function is called at once.
    package func whenDecided(_ ticket: Ticket, _ waiter: @escaping @Sendable (Bool) -> Void) {
        let answer: Bool? = state.withLock { state in
            if state.abandoned.remove(ticket) != nil { return false }
            guard state.queue.isWaiting(ticket) else { return true }
            state.waiters[ticket] = waiter
            return nil
        }
        if let answer { waiter(answer) }
    }

    /// Waits for the permit of a ticket. If the task is cancelled, the ticket is abandoned.
    ///
    /// - Returns: Whether the permit is acquired and must be released; `false` if the ticket was abandoned.
    package func wait(_ ticket: Ticket) async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in whenDecided(ticket) { continuation.resume(returning: $0) } }
        } onCancel: {
            abandon(ticket)
        }
    }

    /// Ends the wait of a ticket that has no permit yet.
    package func abandon(_ ticket: Ticket) {
        let waiter = state.withLock { state -> (@Sendable (Bool) -> Void)? in
            guard state.queue.abandon(ticket) else { return nil }
            if let waiter = state.waiters.removeValue(forKey: ticket) { return waiter }
            state.abandoned.insert(ticket)
            return nil
        }
        waiter?(false)
    }

    /// Acquires a permit, and waits for it if all permits are taken.
    ///
    /// - Parameter elseWait: A function that is called if no permit is free.
    /// - Returns: Whether the permit is acquired; `false` if the task was cancelled while it waited.
    package func acquire(elseWait: () -> Void) async -> Bool {
        guard let ticket = enqueue() else { return true }
        elseWait()
        return await wait(ticket)
    }

    package func release() {
        let waiter = state.withLock { state in
            state.queue.release().flatMap { state.waiters.removeValue(forKey: $0) }
        }
        waiter?(true)
    }
}
