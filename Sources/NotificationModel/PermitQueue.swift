/// The permits of a semaphore and the waiters for them, first come, first served: pure.
package struct PermitQueue: ~Copyable {
    package typealias Ticket = UInt64

    private var free: Int
    private var lastTicket: Ticket = 0
    /// In the order of arrival. Tickets that were abandoned are removed when it is their turn.
    private var line: [Ticket] = []
    private var front = 0
    private var waiting: Set<Ticket> = []

    package init(permits: Int) { free = permits }

    package var waitingCount: Int { waiting.count }

    package func isWaiting(_ ticket: Ticket) -> Bool { waiting.contains(ticket) }

    /// Acquires a permit, or joins the queue.
    ///
    /// - Returns: `nil` if a permit was free and is acquired; else a ticket to wait with.
    package mutating func acquire() -> Ticket? {
        guard free == 0 else {
            free -= 1
            return nil
        }
        lastTicket += 1
        line.append(lastTicket)
        waiting.insert(lastTicket)
        return lastTicket
    }

    /// Releases a permit.
    ///
    /// - Returns: the ticket that has the permit now; `nil` if no ticket waits.
    package mutating func release() -> Ticket? {
        while front < line.count {
            let next = line[front]
            front += 1
            if waiting.remove(next) != nil {
                compact()
                return next
            }
        }
        compact()
        free += 1
        return nil
    }

    /// Leaves the queue.
    ///
    /// - Returns: whether the ticket was still waiting; `false` means that it has a permit, or was abandoned before.
    package mutating func abandon(_ ticket: Ticket) -> Bool { waiting.remove(ticket) != nil }

    private mutating func compact() {
        guard front > 64, front * 2 > line.count else { return }
        line.removeFirst(front)
        front = 0
    }
}
