import NotificationModel
import Primitives
import Testing

@testable import Authentication

@Suite struct CallLimiterTests {
    private let start = MonotonicInstant.now

    private func caller(_ name: String = "a", rate: Int? = nil, concurrent: Int? = nil) -> Caller {
        Caller(
            name: name, groups: .all, scopes: [], limits: CallLimits(rate: rate, concurrent: concurrent))
    }

    @Test func `a caller without limits needs no permit`() throws {
        #expect(try CallLimiter().admit(caller(), at: start) == nil)
    }

    @Test func `the calls of a second may come at once, and further calls come at the rate`() throws {
        let limiter = CallLimiter()
        let caller = caller(rate: 4)
        #expect(try (0..<4).map { _ in try limiter.admit(caller, at: start)?.remaining } == [3, 2, 1, 0])
        #expect(throws: CallLimiter.Refusal.rate(retryAfter: .milliseconds(250))) {
            try limiter.admit(caller, at: start)
        }
        // A refused call does not count.
        #expect(try limiter.admit(caller, at: start.advanced(by: .milliseconds(250))) != nil)
        #expect(throws: CallLimiter.Refusal.self) {
            try limiter.admit(caller, at: start.advanced(by: .milliseconds(499)))
        }
        #expect(try limiter.admit(caller, at: start.advanced(by: .seconds(60)))?.remaining == 3)
    }

    @Test func `a permit counts until its last reference is released`() throws {
        let limiter = CallLimiter()
        let caller = caller(concurrent: 2)
        var permits = try (0..<2).map { _ in try limiter.admit(caller, at: start) }
        #expect(throws: CallLimiter.Refusal.concurrent(most: 2)) { try limiter.admit(caller, at: start) }
        let copy = permits.removeLast()
        #expect(throws: CallLimiter.Refusal.self) { try limiter.admit(caller, at: start) }
        withExtendedLifetime(copy) {}
        permits = []
        #expect(try limiter.admit(caller, at: start) != nil)
    }

    @Test func `one caller does not use the limits of another caller`() throws {
        let limiter = CallLimiter()
        let first = try limiter.admit(caller("a", rate: 1, concurrent: 1), at: start)
        let second = try limiter.admit(caller("b", rate: 1, concurrent: 1), at: start)
        withExtendedLifetime((first, second)) {}
        #expect(second != nil)
    }
}
