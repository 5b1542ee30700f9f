/// A semaphore for tasks: the shell around `PermitQueue`.
package final class AsyncSemaphore: Sendable {
    package typealias Ticket = PermitQueue.Ticket

    private struct State: ~Copyable {
        var queue: PermitQueue
        var waiters: [Ticket: CheckedContinuation<Bool, Never>] = [:]
        /// Abandoned before their tasks had begun to wait.
        var abandoned: Set<Ticket> = []
    }

    private let state: Guarded<State>

    /// - Parameter permits: 1 or more; fewer count as 1.
    package init(permits: Int) { state = Guarded(State(queue: PermitQueue(permits: max(1, permits)))) }

    /// Acquires a permit, or joins the queue, without waiting.
    ///
    /// - Returns: `nil` if the permit is acquired; else a ticket, with which `wait` is to be called once.
    package func enqueue() -> Ticket? { state.withLock { $0.queue.acquire() } }

    /// Waits for the permit of a ticket. A task that is cancelled abandons its ticket.
    ///
    /// - Returns: whether the permit is acquired, and is to be released; `false` if the ticket was abandoned.
    package func wait(_ ticket: Ticket) async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: Bool? = state.withLock { state in
                    if state.abandoned.remove(ticket) != nil { return false }
                    if state.queue.isWaiting(ticket) {
                        state.waiters[ticket] = continuation
                        return nil
                    }
                    return true
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            abandon(ticket)
        }
    }

    /// Ends the wait of a ticket that has no permit yet.
    package func abandon(_ ticket: Ticket) {
        let waiter = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard state.queue.abandon(ticket) else { return nil }
            if let waiter = state.waiters.removeValue(forKey: ticket) { return waiter }
            state.abandoned.insert(ticket)
            return nil
        }
        waiter?.resume(returning: false)
    }

    /// Acquires a permit, and waits for it if none is free.
    ///
    /// - Parameter elseWait: called if none is free.
    /// - Returns: whether the permit is acquired; `false` if the task was cancelled while it waited.
    package func acquire(elseWait: () -> Void) async -> Bool {
        guard let ticket = enqueue() else { return true }
        elseWait()
        return await wait(ticket)
    }

    package func release() {
        let waiter = state.withLock { state in
            state.queue.release().flatMap { state.waiters.removeValue(forKey: $0) }
        }
        waiter?.resume(returning: true)
    }
}
