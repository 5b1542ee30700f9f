import NotificationModel
import Testing

@testable import MediaFetcher

@Suite struct RetryPolicyTests {
    private let rule = RetryPolicy()

    private func attempt(
        _ reason: DegradationReason? = nil, status: Int? = nil, number: Int = 1
    ) -> RetryPolicy.Attempt { RetryPolicy.Attempt(number: number, reason: reason, status: status) }

    private func again(_ attempt: RetryPolicy.Attempt, remaining: Duration = .seconds(30)) -> Bool {
        rule.decide(attempt, remaining: remaining, jitter: 1) != .giveUp
    }

    @Test(arguments: DegradationReason.allCases)
    func `a transfer is repeated only for reasons that may be temporary`(_ reason: DegradationReason) {
        let mayGoBetter: Set<DegradationReason> = [
            .dnsFailed, .connectFailed, .connectionLost, .truncated, .budgetExceeded,
        ]
        #expect(again(attempt(reason)) == mayGoBetter.contains(reason))
    }

    @Test(arguments: [
        (200, false), (301, false), (400, false), (401, false), (403, false), (404, false), (408, true), (410, false),
        (425, true), (429, true), (500, true), (501, false), (502, true), (503, true), (504, true), (505, false),
        (509, false), (519, false), (520, true), (521, true), (522, true), (523, true), (524, true), (525, false),
        (526, false), (527, true), (528, false), (529, true), (530, true), (531, false), (598, true), (599, true),
    ])
    func `a transfer is repeated only for statuses that may be temporary`(_ status: Int, _ isTriedAgain: Bool) {
        #expect(again(attempt(status: status)) == isTriedAgain)
    }

    @Test func `the pause doubles with each attempt, and has jitter`() {
        #expect(
            rule.decide(attempt(.truncated), remaining: .seconds(9), jitter: 1)
                == .again(after: .milliseconds(100), from: 0))
        #expect(
            rule.decide(attempt(.truncated), remaining: .seconds(9), jitter: 0)
                == .again(after: .milliseconds(50), from: 0))
        #expect(
            rule.decide(attempt(.truncated, number: 2), remaining: .seconds(9), jitter: 1)
                == .again(after: .milliseconds(200), from: 0))
        #expect(!again(attempt(.truncated, number: RetryPolicy.maxAttempts)))
    }

    @Test func `an attempt waits for a Retry-After within the budget, and is not made for a longer wait`() {
        var busy = attempt(status: 503)
        busy.retryAfter = .seconds(3)
        #expect(rule.decide(busy, remaining: .seconds(5), jitter: 0) == .again(after: .seconds(3), from: 0))
        #expect(!again(busy, remaining: .seconds(3)))
    }

    @Test func `a failed name is resolved again after its cached failure has expired`() {
        var unknown = attempt(.dnsFailed)
        unknown.nameCooldown = .seconds(1)
        #expect(rule.decide(unknown, remaining: .seconds(5), jitter: 0) == .again(after: .seconds(1), from: 0))
        #expect(!again(unknown, remaining: .seconds(1)))
        var nothing = attempt(.dnsFailed)
        nothing.nameCooldown = .seconds(5)
        #expect(!again(nothing))
    }

    @Test func `an attempt that cannot end within the budget is not started`() {
        var slow = attempt(.connectionLost)
        slow.timeToFirstByte = .seconds(2)
        #expect(!again(slow, remaining: .seconds(2)))
        #expect(again(slow, remaining: .seconds(2.2)))
        // A tenth of the body arrived in a second, so the rest takes nine seconds.
        slow.completeLength = 1_000_000
        slow.bodyBytes = 100_000
        slow.timeOfBody = .seconds(1)
        #expect(!again(slow, remaining: .seconds(11)))
        #expect(again(slow, remaining: .seconds(12.2)))
        slow.resumableBytes = 100_000
        #expect(again(slow, remaining: .seconds(11.2)))
    }

    @Test func `bytes that have arrived are not requested again`() {
        var cut = attempt(.truncated)
        cut.resumableBytes = 500
        #expect(rule.decide(cut, remaining: .seconds(9), jitter: 1) == .again(after: .milliseconds(100), from: 500))
    }
}
