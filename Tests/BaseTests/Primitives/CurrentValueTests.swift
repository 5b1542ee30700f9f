import Base
import Testing

@Suite(.timeLimit(.minutes(1))) struct CurrentValueTests {
    private let count = CurrentValue(0)

    @Test func `a wait ends when its predicate holds`() async {
        async let reached = count.wait { $0 >= 3 }
        for _ in 0..<3 { count.update { $0 += 1 } }
        #expect(await reached)
        #expect(count.value == 3)
    }

    @Test func `a wait ends without its predicate when the task is cancelled or the value is finished`() async {
        let cancelled = Task { await count.wait { $0 > 0 } }
        cancelled.cancel()
        #expect(await !cancelled.value)
        async let finished = count.wait { $0 > 0 }
        count.finish()
        #expect(await !finished)
        #expect(await !count.wait { $0 > 0 }, "a later wait ends at once")
        #expect(await count.wait { $0 == 0 })
    }
}
