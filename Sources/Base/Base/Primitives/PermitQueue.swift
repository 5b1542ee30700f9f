import DequeModule

/// The permits of a semaphore and the queue of its waiters, in the order of arrival. The type has no side effects.
package struct PermitQueue: ~Copyable {
    package typealias Ticket = UInt64

    package private(set) var free: Int
    private var lastTicket: Ticket = 0
    /// The tickets in the order of arrival. An abandoned ticket stays until it is the first, or until more than half
    /// are abandoned.
    private var line: Deque<(ticket: Ticket, count: Int)> = []
    private var waiting: Set<Ticket> = []

    package init(permits: Int) { free = permits }

    package var waitingCount: Int { waiting.count }

    package func isWaiting(_ ticket: Ticket) -> Bool { waiting.contains(ticket) }

    /// Acquires permits if they are free and no ticket waits.
    package mutating func acquireIfFree(_ count: Int = 1) -> Bool {
        guard waiting.isEmpty, free >= count else { return false }
        free -= count
        return true
    }

    /// Acquires permits, or joins the queue.
    ///
    /// - Returns: `nil` if the permits were free and are acquired; otherwise a ticket in the queue.
    package mutating func acquire(_ count: Int = 1) -> Ticket? {
        if acquireIfFree(count) { return nil }
        lastTicket += 1
        line.append((lastTicket, count))
        waiting.insert(lastTicket)
        return lastTicket
    }

    /// Releases permits, which the oldest waiting tickets acquire.
    ///
    /// - Returns: The tickets that have their permits now, the oldest first.
    package mutating func release(_ count: Int = 1) -> [Ticket] {
        free += count
        return grant()
    }

    /// Removes a ticket from the queue. The next tickets may need fewer permits, and then get them.
    ///
    /// - Returns: The tickets that have their permits now; `nil` if the ticket has its permits or was abandoned before.
    package mutating func abandon(_ ticket: Ticket) -> [Ticket]? {
        guard waiting.remove(ticket) != nil else { return nil }
        if line.count > 2 * waiting.count + 64 { line.removeAll { !waiting.contains($0.ticket) } }
        return grant()
    }

    /// The number of tickets in memory.
    var ticketCount: Int { line.count }

    private mutating func grant() -> [Ticket] {
        var granted: [Ticket] = []
        while let first = line.first {
            if waiting.contains(first.ticket) {
                guard first.count <= free else { break }
                free -= first.count
                waiting.remove(first.ticket)
                granted.append(first.ticket)
            }
            line.removeFirst()
        }
        return granted
    }
}
