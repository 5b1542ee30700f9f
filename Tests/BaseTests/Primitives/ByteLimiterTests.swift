import Base
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ByteLimiterTests {
    private let limiter = ByteLimiter(limit: 100)
    private let clock = ManualClock()

    @Test func `leases are granted up to the limit, and are granted again after a release`() {
        var first = limiter.lease(60)
        let second = limiter.lease(40)
        #expect(first != nil && second != nil)
        #expect(limiter.lease(1) == nil)
        first = nil
        #expect(limiter.lease(60) != nil)
    }

    @Test func `a lease of more bytes than the limit takes the whole limit`() {
        let all = limiter.lease(1_000)
        #expect(all != nil)
        #expect(limiter.lease(1) == nil)
    }

    @Test func `a second release of a lease has no effect`() {
        let lease = limiter.lease(100)
        lease?.release()
        let next = limiter.lease(100)
        #expect(next != nil)
        lease?.release()
        #expect(limiter.lease(1) == nil)
    }

    @Test func `a waiter without a time limit waits until its lease is granted or the task is cancelled`() async {
        let leased = limiter.lease(100)
        let cancelled = Task { await limiter.leaseWhenFree(1) }
        cancelled.cancel()
        #expect(await cancelled.value == nil)
        async let waiting = limiter.leaseWhenFree(60)
        leased?.release()
        #expect(await waiting != nil)
    }

    @Test func `a small waiter does not overtake a large waiter`() async {
        var leased = limiter.lease(60)
        #expect(leased != nil)
        let order = Record<Int>()
        await withDiscardingTaskGroup { group in
            @Sendable func wait(for count: Int) async {
                let lease = await limiter.lease(count, within: .seconds(10), on: clock)
                withExtendedLifetime(lease) { order.append(count) }
            }
            group.addTask { await wait(for: 90) }
            // The loop ends when the first task waits, because no lease is granted while another caller waits.
            while limiter.lease(1) != nil { await Task.yield() }
            group.addTask { await wait(for: 20) }
            await clock.waitForSleepers(2)
            leased = nil
        }
        #expect(order.elements == [90, 20])
        #expect(limiter.lease(100) != nil, "all is released")
    }

    @Test func `a waiter gets no lease after its time limit`() async {
        let leased = limiter.lease(100)
        async let waiting = limiter.lease(1, within: .seconds(10), on: clock)
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(10))
        #expect(await waiting == nil)
        #expect(leased != nil)
    }

    @Test func `later waiters proceed after an earlier waiter is cancelled`() async {
        var leased = limiter.lease(50)
        #expect(leased != nil)
        let large = Task { [limiter, clock] in await limiter.lease(80, within: .seconds(10), on: clock) }
        await clock.waitForSleepers(1)
        async let small = limiter.lease(20, within: .seconds(10), on: clock)
        await clock.waitForSleepers(2)
        large.cancel()
        #expect(await large.value == nil)
        #expect(await small != nil)
        leased = nil
    }
}
