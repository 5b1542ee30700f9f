import TestSupport
import Testing

@testable import Base

@Suite struct PermitQueueTests {
    @Test func `permits are acquired in the order of arrival`() {
        var queue = PermitQueue(permits: 1)
        let first = queue.acquire()
        #expect(first == nil)
        let second = queue.acquire()
        let third = queue.acquire()
        var given = queue.release()
        #expect(given == [second])
        given = queue.release()
        #expect(given == [third])
        given = queue.release()
        #expect(given == [])
        let again = queue.acquire()
        #expect(again == nil, "the permit is free again")
    }

    @Test func `an abandoned token gets no permit`() throws {
        var queue = PermitQueue(permits: 1)
        _ = queue.acquire()
        let tokens = [queue.acquire(), queue.acquire()]
        let second = try #require(tokens[0])
        let third = try #require(tokens[1])
        var granted = queue.abandon(second)
        #expect(granted == [])
        granted = queue.abandon(second)
        #expect(granted == nil, "once")
        let given = queue.release()
        #expect(given == [third])
        granted = queue.abandon(third)
        #expect(granted == nil, "it has the permit, and must release it")
    }

    @Test func `a token for several permits waits for all of them, and later tokens wait too`() {
        var queue = PermitQueue(permits: 5)
        let first = queue.acquire(3)
        #expect(first == nil)
        let large = queue.acquire(4)
        let isAcquired = queue.acquireIfFree(1)
        #expect(!isAcquired, "two permits are free, but the large ticket waits for them")
        let small = queue.acquire(2)
        let given = queue.release(2)
        #expect(given == [large])
        let granted = queue.release(4)
        #expect(granted == [small])
    }

    @Test func `the smaller token after an abandoned token proceeds`() throws {
        var queue = PermitQueue(permits: 5)
        _ = queue.acquire(3)
        let tokens = [queue.acquire(4), queue.acquire(2)]
        let large = try #require(tokens[0])
        let small = try #require(tokens[1])
        let granted = queue.abandon(large)
        #expect(granted == [small])
    }

    @Test func `abandoned tokens that follow a waiting token are removed from the queue`() throws {
        var queue = PermitQueue(permits: 1)
        _ = queue.acquire()
        let first = queue.acquire()
        for _ in 0..<10_000 {
            let token = queue.acquire()
            _ = queue.abandon(try #require(token))
        }
        let count = queue.ticketCount
        #expect(count <= 67)
        let given = queue.release()
        #expect(given == [first])
    }

    /// The test compares the queue with a simple model of the same rules.
    @Test(arguments: [1, 3, 17]) func `the number of permits stays constant in any order of events`(count: Int) {
        var random = SeededGenerator(seed: UInt64(count))
        var queue = PermitQueue(permits: count)
        var holders = 0
        var waiting: [PermitQueue.WaiterToken] = []
        for _ in 0..<20_000 {
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                if let token = queue.acquire() { waiting.append(token) } else { holders += 1 }
            case 1 where holders > 0:
                let given = queue.release()
                #expect(given == Array(waiting.prefix(1)))
                if waiting.isEmpty { holders -= 1 } else { waiting.removeFirst() }
            case 2 where !waiting.isEmpty:
                let granted = queue.abandon(waiting.remove(at: Int.random(in: waiting.indices, using: &random)))
                #expect(granted == [])
            default: break
            }
            #expect(holders <= count)
            #expect(waiting.isEmpty || holders == count, "no waiter waits while a permit is free")
            #expect(queue.waitingCount == waiting.count)
        }
    }
}
