import Base
import LinuxIO
import NotificationModel
import Testing

@testable import MediaFetcher

@Suite(.timeLimit(.minutes(1))) struct LoopConfinedTests {
    /// The loop often answers before the task waits. The thread sanitizer does not see an order that only the Swift
    /// runtime makes, and would report a race here.
    @Test func `a task reads the result of a loop call without a data race`() async throws {
        let loop = try EventLoop.start(name: "agd-bound")
        defer { loop.shutdown() }
        let numbers = LoopConfined(Numbers(), on: loop)
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<5_000 {
                        let number = await numbers.answer { numbers, _, waiter in
                            waiter.resume(returning: numbers.next())
                        } giveUp: { _, _ in
                        }
                        #expect(number.value > 0)
                    }
                }
            }
        }
        let last = await numbers.answer { numbers, _, waiter in
            waiter.resume(returning: numbers.next())
        } giveUp: { _, _ in
        }
        #expect(last.value == 20_001)
    }

    @Test func `the loop calls giveUp for a cancelled call after it has started the call`() async throws {
        let loop = try EventLoop.start(name: "agd-bound")
        defer { loop.shutdown() }
        let waiting = LoopConfined(Waiting(), on: loop)
        for _ in 0..<1_000 {
            let task = Task {
                await waiting.answer { waiting, id, waiter in
                    waiting.waiters[id] = waiter
                } giveUp: { waiting, id in
                    waiting.waiters.removeValue(forKey: id)?.resume(returning: false)
                }
            }
            task.cancel()
            #expect(await task.value == false)
        }
    }
}

private final class Numbers {
    final class Number: Sendable {
        let value: Int
        init(_ value: Int) { self.value = value }
    }

    private var last = 0

    func next() -> Number {
        last += 1
        return Number(last)
    }
}

private final class Waiting {
    var waiters: [UInt64: Waiter<Bool>] = [:]
}
