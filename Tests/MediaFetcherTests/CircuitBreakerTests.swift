import NotificationModel
import Testing

@testable import MediaFetcher

@Suite struct CircuitBreakerTests {
    private let start = MonotonicInstant.now

    private func at(_ seconds: Double) -> MonotonicInstant { start + .seconds(seconds) }

    private func resting() -> CircuitBreaker {
        var breaker = CircuitBreaker()
        for _ in 0..<CircuitBreaker.failuresToOpen { breaker.failed("a", at: start, jitter: 0.5) }
        return breaker
    }

    @Test func `failures that are not running on do not count`() {
        var breaker = CircuitBreaker()
        for _ in 0..<20 {
            breaker.failed("a", at: start, jitter: 0.5)
            breaker.failed("a", at: start, jitter: 0.5)
            breaker.succeeded("a")
        }
        #expect(breaker.permission(for: "a", at: start) == .closed)
    }

    @Test func `a host that keeps failing rests, and no other with it`() {
        var breaker = resting()
        #expect(breaker.permission(for: "a", at: at(0.5)) == .open(.seconds(1.5)))
        #expect(breaker.permission(for: "b", at: at(0.5)) == .closed)
    }

    @Test func `after the rest one may try`() {
        var breaker = resting()
        #expect(breaker.permission(for: "a", at: at(2)) == .halfOpen)
        #expect(breaker.permission(for: "a", at: at(2)) == .open(.zero))
        breaker.succeeded("a")
        #expect(breaker.permission(for: "a", at: at(2)) == .closed)
    }

    @Test func `each rest is twice as long as the one before, up to a minute`() {
        var breaker = resting()
        var now = 2.0
        for rest in [4.0, 8, 16, 32, 60, 60] {
            #expect(breaker.permission(for: "a", at: at(now)) == .halfOpen)
            breaker.failed("a", at: at(now), jitter: 0.5)
            #expect(breaker.permission(for: "a", at: at(now)) == .open(.seconds(rest)))
            now += rest
        }
    }

    @Test func `a try that is taken back is another's`() {
        var breaker = resting()
        #expect(breaker.permission(for: "a", at: at(2)) == .halfOpen)
        breaker.abandoned("a")
        #expect(breaker.permission(for: "a", at: at(2)) == .halfOpen)
    }

    @Test func `transfers that were under way when the rest began do not make it longer`() {
        var breaker = resting()
        for _ in 0..<50 { breaker.failed("a", at: at(1), jitter: 0.5) }
        #expect(breaker.permission(for: "a", at: at(2)) == .halfOpen)
    }

    @Test func `what is known is bounded, and forgotten`() {
        var breaker = CircuitBreaker()
        for number in 0..<(CircuitBreaker.mostHosts + 100) {
            breaker.failed("\(number)", at: at(Double(number)), jitter: 0)
        }
        #expect(breaker.hostCount <= CircuitBreaker.mostHosts)
        var old = CircuitBreaker()
        for _ in 0..<4 { old.failed("a", at: start, jitter: 0.5) }
        old.failed("a", at: at(700), jitter: 0.5)
        #expect(old.permission(for: "a", at: at(700)) == .closed)
    }
}
