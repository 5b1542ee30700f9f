/// Who has a slot and who waits for one, first come, first served: pure.
package struct SlotLine: ~Copyable {
    package typealias Ticket = UInt64

    private var free: Int
    private var lastTicket: Ticket = 0
    /// In the order of their coming; those who left are taken out when it is their turn.
    private var line: [Ticket] = []
    private var front = 0
    private var waiting: Set<Ticket> = []

    package init(count: Int) { free = count }

    /// Who stands in line.
    package var waitingCount: Int { waiting.count }

    package func isWaiting(_ ticket: Ticket) -> Bool { waiting.contains(ticket) }

    /// - Returns: `nil` when a slot was free and is taken now; a ticket to wait with otherwise.
    package mutating func take() -> Ticket? {
        guard free == 0 else {
            free -= 1
            return nil
        }
        lastTicket += 1
        line.append(lastTicket)
        waiting.insert(lastTicket)
        return lastTicket
    }

    /// - Returns: who has the slot now, `nil` where nobody waits.
    package mutating func give() -> Ticket? {
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

    /// Leaves the line.
    ///
    /// - Returns: whether the ticket was still in it; a slot was given to it otherwise.
    package mutating func leave(_ ticket: Ticket) -> Bool { waiting.remove(ticket) != nil }

    private mutating func compact() {
        guard front > 64, front * 2 > line.count else { return }
        line.removeFirst(front)
        front = 0
    }
}
