import Base
import Testing

@Suite(.timeLimit(.minutes(1))) struct WaiterTests {
    @Test func `a waiter returns its first value, whether the value arrives before or after the wait begins`() async {
        let early = Waiter<Int>()
        early.resume(returning: 1)
        early.resume(returning: 2)
        #expect(early.isResumed)
        #expect(await early.value() == 1)

        let late = Waiter<Int>()
        async let value = late.value()
        late.resume(returning: 3)
        #expect(await value == 3)
    }

    @Test func `a cancellation calls the handler, and the handler may end the wait later`() async {
        let waiter = Waiter<String>()
        let cancelled = AsyncEvent()
        let waiting = Task { await waiter.value { _ in cancelled.signal() } }
        waiting.cancel()
        await cancelled.wait()
        #expect(!waiter.isResumed)
        waiter.resume(returning: "released")
        #expect(await waiting.value == "released")
    }

    @Test func `a waiter returns exactly one value, in any order of its threads`() async {
        for round in 0..<2_000 {
            let waiter = Waiter<Int>()
            let waiting = Task { await waiter.value { $0.resume(returning: -1) } }
            let giving = Task { waiter.resume(returning: round) }
            waiting.cancel()
            await giving.value
            let value = await waiting.value
            #expect(value == -1 || value == round)
        }
    }
}
