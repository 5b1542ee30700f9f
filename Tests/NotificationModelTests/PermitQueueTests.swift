import NotificationModel
import TestSupport
import Testing

@Suite struct PermitQueueTests {
    @Test func `permits are acquired in the order of arrival`() {
        var queue = PermitQueue(permits: 1)
        let first = queue.acquire()
        #expect(first == nil)
        let second = queue.acquire()
        let third = queue.acquire()
        var given = queue.release()
        #expect(given == second)
        given = queue.release()
        #expect(given == third)
        given = queue.release()
        #expect(given == nil)
        let again = queue.acquire()
        #expect(again == nil, "the permit is free again")
    }

    @Test func `an abandoned ticket gets no permit`() throws {
        var queue = PermitQueue(permits: 1)
        _ = queue.acquire()
        let tickets = [queue.acquire(), queue.acquire()]
        let second = try #require(tickets[0])
        let third = try #require(tickets[1])
        var isAbandoned = queue.abandon(second)
        #expect(isAbandoned)
        isAbandoned = queue.abandon(second)
        #expect(!isAbandoned, "once")
        let given = queue.release()
        #expect(given == third)
        isAbandoned = queue.abandon(third)
        #expect(!isAbandoned, "it has the permit, and must release it")
    }

    /// The test compares the queue with a simple model of the same rules.
    @Test(arguments: [1, 3, 17]) func `no order of events loses or duplicates a permit`(count: Int) {
        var random = SeededGenerator(seed: UInt64(count))
        var queue = PermitQueue(permits: count)
        var holders = 0
        var waiting: [PermitQueue.Ticket] = []
        for _ in 0..<20_000 {
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                if let ticket = queue.acquire() { waiting.append(ticket) } else { holders += 1 }
            case 1 where holders > 0:
                let given = queue.release()
                #expect(given == waiting.first)
                if waiting.isEmpty { holders -= 1 } else { waiting.removeFirst() }
            case 2 where !waiting.isEmpty:
                let isAbandoned = queue.abandon(waiting.remove(at: Int.random(in: waiting.indices, using: &random)))
                #expect(isAbandoned)
            default: break
            }
            #expect(holders <= count)
            #expect(waiting.isEmpty || holders == count, "no waiter waits while a permit is free")
            #expect(queue.waitingCount == waiting.count)
        }
    }
}
