/// The permits of a semaphore and the queue of its waiters, in the order of arrival. It has no side effects.
package struct PermitQueue: ~Copyable {
    package typealias Ticket = UInt64

    private var free: Int
    private var lastTicket: Ticket = 0
    /// The tickets in the order of arrival. An abandoned ticket stays until `release` reaches it.
    private var line: [Ticket] = []
    private var front = 0
    private var waiting: Set<Ticket> = []

    package init(permits: Int) { free = permits }

    package var waitingCount: Int { waiting.count }

    package func isWaiting(_ ticket: Ticket) -> Bool { waiting.contains(ticket) }

    /// Acquires a permit, or joins the queue.
    ///
    /// - Returns: `nil` if a permit was free and is acquired; otherwise a ticket in the queue.
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

    /// Releases a permit, which the oldest waiting ticket acquires.
    ///
    /// - Returns: The ticket that has the permit now; `nil` if no ticket waits.
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

    /// Removes a ticket from the queue.
    ///
    /// - Returns: Whether the ticket was still waiting; `false` if it has a permit or was abandoned before.
    package mutating func abandon(_ ticket: Ticket) -> Bool { waiting.remove(ticket) != nil }

    private mutating func compact() {
        guard front > 64, front * 2 > line.count else { return }
        line.removeFirst(front)
        front = 0
    }
}
