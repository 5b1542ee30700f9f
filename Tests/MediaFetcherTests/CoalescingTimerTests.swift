import LinuxIO
import NotificationModel
import Testing

@testable import MediaFetcher

/// One timer for many instants rings at the first of them.
@Suite(.timeLimit(.minutes(1))) struct CoalescingTimerTests {
    /// What lives on the loop.
    private final class Bench: @unchecked Sendable {
        var timer: CoalescingTimer
        var rings: [Duration] = []

        init(_ loop: EventLoop) { timer = CoalescingTimer(on: loop) }
    }

    @Test func `it is set again for an earlier instant, and for a later one only when it has rung`() async throws {
        let loop = try EventLoop.start(name: "test")
        let bench = Bench(loop)
        let start = MonotonicInstant.now
        let rings = await withCheckedContinuation { continuation in
            loop.execute {
                bench.timer.handler = {
                    bench.timer.didFire()
                    bench.rings.append(start.duration(to: .now))
                    guard bench.rings.count == 1 else { return continuation.resume(returning: bench.rings) }
                    bench.timer.set(at: start + .milliseconds(2))
                }
                bench.timer.set(at: start + .seconds(600))
                bench.timer.set(at: start + .milliseconds(1))
                bench.timer.set(at: start + .seconds(300))
            }
        }
        loop.shutdown()
        #expect(rings.count == 2)
        #expect(rings.allSatisfy { $0 < .seconds(60) })
    }
}
