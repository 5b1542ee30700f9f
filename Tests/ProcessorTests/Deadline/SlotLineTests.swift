import NotificationProcessor
import TestSupport
import Testing

@Suite struct SlotLineTests {
    @Test func `slots are given in the order of coming`() {
        var line = SlotLine(count: 1)
        let first = line.take()
        #expect(first == nil)
        let second = line.take()
        let third = line.take()
        var given = line.give()
        #expect(given == second)
        given = line.give()
        #expect(given == third)
        given = line.give()
        #expect(given == nil)
        let again = line.take()
        #expect(again == nil, "the slot is free again")
    }

    @Test func `who left gets no slot`() throws {
        var line = SlotLine(count: 1)
        _ = line.take()
        let tickets = [line.take(), line.take()]
        let second = try #require(tickets[0])
        let third = try #require(tickets[1])
        var hasLeft = line.leave(second)
        #expect(hasLeft)
        hasLeft = line.leave(second)
        #expect(!hasLeft, "once")
        let given = line.give()
        #expect(given == third)
        hasLeft = line.leave(third)
        #expect(!hasLeft, "it has the slot, and must give it back")
    }

    /// A model with the same rules, written down as plainly as can be.
    @Test(arguments: [1, 3, 17]) func `any order of events leaves no slot lost and none doubled`(count: Int) {
        var random = SeededGenerator(seed: UInt64(count))
        var line = SlotLine(count: count)
        var holders = 0
        var waiting: [SlotLine.Ticket] = []
        for _ in 0..<20_000 {
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                if let ticket = line.take() { waiting.append(ticket) } else { holders += 1 }
            case 1 where holders > 0:
                let given = line.give()
                #expect(given == waiting.first)
                if waiting.isEmpty { holders -= 1 } else { waiting.removeFirst() }
            case 2 where !waiting.isEmpty:
                let hasLeft = line.leave(waiting.remove(at: Int.random(in: waiting.indices, using: &random)))
                #expect(hasLeft)
            default: break
            }
            #expect(holders <= count)
            #expect(waiting.isEmpty || holders == count, "nobody waits beside a free slot")
            #expect(line.waitingCount == waiting.count)
        }
    }
}
