import Base
import LinuxIO
import NotificationModel
import Testing

@testable import MediaFetcher

/// The tests that one timer for many instants fires at the earliest instant.
@Suite(.timeLimit(.minutes(1))) struct CoalescingTimerTests {
    /// The state on the thread of the loop.
    private final class Bench: @unchecked Sendable {
        var timer: CoalescingTimer
        var rings: [Duration] = []

        init(_ loop: EventLoop) { timer = CoalescingTimer(on: loop) }
    }

    @Test func `a timer moves to an earlier instant at once, and to a later instant only after the timer has fired`()
        async throws
    {
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
