import Base
import NotificationModel
import Testing

@testable import MediaFetcher

@Suite struct CircuitBreakerTests {
    private let start = MonotonicInstant.now

    private func at(_ seconds: Double) -> MonotonicInstant { start + .seconds(seconds) }

    private func resting() -> CircuitBreaker {
        var breaker = CircuitBreaker()
        for item in 0..<CircuitBreaker.failuresToOpen {
            _ = breaker.failed("a", item: item, at: start, jitter: 0.5)
        }
        return breaker
    }

    @Test func `a host rests after five failed media items in a row, and other hosts do not rest`() {
        var breaker = CircuitBreaker()
        for item in 0..<4 {
            #expect(breaker.failed("a", item: item, at: start, jitter: 0.5) == .none)
            #expect(breaker.permission(for: "a", at: start) == .closed)
        }
        #expect(breaker.failed("a", item: 4, at: start, jitter: 0.5) == .opens(.seconds(2)))
        #expect(breaker.permission(for: "a", at: at(0.5)) == .open(.seconds(1.5)))
        #expect(breaker.permission(for: "b", at: at(0.5)) == .closed)
    }

    @Test func `a media item that fails repeatedly is counted as one failure`() {
        var breaker = CircuitBreaker()
        for second in 0..<50 { _ = breaker.failed("a", item: second % 4, at: at(Double(second)), jitter: 0.5) }
        #expect(breaker.permission(for: "a", at: at(50)) == .closed)
    }

    @Test func `a success of a host resets its count of failures`() {
        var breaker = CircuitBreaker()
        for item in 0..<20 {
            _ = breaker.failed("a", item: item, at: start, jitter: 0.5)
            if item % 4 == 3 { #expect(breaker.succeeded("a") == .none) }
        }
        #expect(breaker.permission(for: "a", at: start) == .closed)
    }

    @Test func `a single transfer tests the host after its rest`() {
        var breaker = resting()
        #expect(breaker.state(of: "a", at: at(2)) == .halfOpen)
        #expect(breaker.permission(for: "a", at: at(2)) == .halfOpen)
        #expect(breaker.isTested("a"))
        #expect(breaker.permission(for: "a", at: at(2)) == .open(.zero))
        #expect(breaker.succeeded("a") == .recovered)
        #expect(breaker.permission(for: "a", at: at(2)) == .closed)
    }

    @Test func `each rest is twice as long as the rest before it, up to 32 s`() {
        var breaker = resting()
        var now = 2.0
        for rest in [4.0, 8, 16, 32, 32, 32] {
            #expect(breaker.permission(for: "a", at: at(now)) == .halfOpen)
            #expect(breaker.probeFailed("a", at: at(now), jitter: 0.5) == .opens(.seconds(rest)))
            #expect(breaker.permission(for: "a", at: at(now)) == .open(.seconds(rest)))
            now += rest
        }
    }

    @Test func `the longest rest ends before its failures expire`() {
        #expect(CircuitBreaker.maxCooldown * 1.125 < CircuitBreaker.memory)
    }

    @Test func `the next transfer tests a host if the first test of the host is cancelled`() {
        var breaker = resting()
        #expect(breaker.permission(for: "a", at: at(2)) == .halfOpen)
        breaker.abandoned("a")
        #expect(breaker.permission(for: "a", at: at(2)) == .halfOpen)
    }

    @Test func `transfers that were running when the rest began do not prolong the rest`() {
        var breaker = resting()
        for item in 5..<50 { #expect(breaker.failed("a", item: item, at: at(1), jitter: 0.5) == .none) }
        #expect(breaker.permission(for: "a", at: at(2)) == .halfOpen)
    }

    @Test func `a minute without a failure ends a rest, and resets the count of failures`() {
        var breaker = resting()
        _ = breaker.permission(for: "a", at: at(2))
        _ = breaker.probeFailed("a", at: at(2), jitter: 0.5)
        #expect(breaker.permission(for: "a", at: at(61.9)) == .halfOpen)
        breaker.abandoned("a")
        #expect(breaker.permission(for: "a", at: at(62)) == .closed)
        #expect(breaker.failed("a", item: 9, at: at(62), jitter: 0.5) == .none)

        var slow = CircuitBreaker()
        for item in 0..<20 {
            #expect(slow.failed("a", item: item, at: at(Double(60 * item)), jitter: 0.5) == .none)
        }
    }

    @Test func `the number of known hosts is limited`() {
        var breaker = CircuitBreaker()
        for number in 0..<(CircuitBreaker.maxHosts + 100) {
            _ = breaker.failed("\(number)", item: 0, at: start, jitter: 0)
        }
        #expect(breaker.hostCount <= CircuitBreaker.maxHosts)
    }
}
