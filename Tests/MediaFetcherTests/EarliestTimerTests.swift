import LinuxIO
import NotificationModel
import Testing

@testable import MediaFetcher

/// One timer for many instants rings at the first of them.
@Suite(.timeLimit(.minutes(1))) struct EarliestTimerTests {
    /// What lives on the loop.
    private final class Bench: @unchecked Sendable {
        var timer = EarliestTimer()
        var rings: [String] = []
    }

    @Test func `it is set again for an earlier instant, and for a later one only when it has rung`() async throws {
        let loop = try EventLoop.start(name: "test")
        let bench = Bench()
        let rings = await withCheckedContinuation { continuation in
            loop.execute {
                let start = MonotonicInstant.now
                bench.timer.set(at: start + .seconds(600), on: loop) { bench.rings.append("late") }
                bench.timer.set(at: start + .milliseconds(1), on: loop) {
                    bench.timer.rang()
                    bench.rings.append("early")
                    bench.timer.set(at: start + .milliseconds(2), on: loop) {
                        continuation.resume(returning: bench.rings + ["next"])
                    }
                }
                bench.timer.set(at: start + .seconds(300), on: loop) { bench.rings.append("later") }
            }
        }
        loop.shutdown()
        #expect(rings == ["early", "next"])
    }
}
