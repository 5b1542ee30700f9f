import Base
import NotificationModel
import Testing

@testable import Authentication

@Suite struct CallLimiterTests {
    private let start = MonotonicInstant.now

    private func caller(
        _ name: String = "a", of issuer: String? = nil, rate: Int? = nil, concurrent: Int? = nil
    ) -> Caller {
        Caller(
            name: name, issuer: issuer, groups: .all, scopes: [],
            limits: CallLimits(rate: rate, concurrent: concurrent))
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
        #expect(throws: CallLimiter.Refusal.concurrent(most: 2, remaining: nil)) {
            try limiter.admit(caller, at: start)
        }
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

    @Test func `a refusal for unfinished calls tells the calls that the rate still permits`() throws {
        let limiter = CallLimiter()
        let caller = caller(rate: 4, concurrent: 1)
        let permit = try limiter.admit(caller, at: start)
        for _ in 0..<2 {
            #expect(throws: CallLimiter.Refusal.concurrent(most: 1, remaining: 3)) {
                try limiter.admit(caller, at: start)
            }
        }
        withExtendedLifetime(permit) {}
    }

    @Test func `an issuer with more subjects than the table holds takes no place and no burst of others`() throws {
        let limiter = CallLimiter()
        let most = CallLimiter.maxCallers
        let first = caller("0", of: "crowd", rate: 1)
        let other = caller("gateway", rate: 1)
        for caller in [first, other] { #expect(try limiter.admit(caller, at: start) != nil) }
        for number in 1..<most { _ = try limiter.admit(caller("\(number)", of: "crowd", rate: 1), at: start) }
        for number in most..<(most + 100) {
            #expect(throws: CallLimiter.Refusal.crowded) {
                try limiter.admit(caller("\(number)", of: "crowd", rate: 1), at: start)
            }
        }
        #expect(limiter.counted == most + 1)
        // Callers whose rate is used keep their counts, and callers of other issuers have places.
        for caller in [first, other] {
            #expect(throws: CallLimiter.Refusal.rate(retryAfter: .seconds(1))) { try limiter.admit(caller, at: start) }
        }
        #expect(try limiter.admit(caller("0", of: "other", rate: 1), at: start) != nil)
        #expect(try limiter.admit(caller("new", rate: 1), at: start) != nil)
        // Subjects whose rate is unused again are forgotten.
        #expect(try limiter.admit(caller("new", of: "crowd", rate: 1), at: start.advanced(by: .seconds(2))) != nil)
        #expect(limiter.counted == 4)
    }
}
