import Base
import NotificationModel
import Testing

@testable import AppGroupStore

@Suite struct RateLimitedWarningsTests {
    @Test func `a problem of one kind is reported once a minute, and other kinds are reported at once`() {
        let reported = Guarded<[String]>([])
        var warnings = RateLimitedWarnings { words in reported.withLock { $0.append(words) } }
        let start = MonotonicInstant.now
        let problems: [(second: Double, kind: String, problem: String)] = [
            (0, "write", "first"), (0, "stage", "other"), (1, "write", "second"), (59.9, "write", "third"),
            (60, "write", "fourth"), (61, "stage", "another"), (119.9, "write", "fifth"), (120, "write", "sixth"),
        ]
        for (second, kind, problem) in problems {
            warnings.report(kind, problem, at: start.advanced(by: .seconds(second)))
        }
        #expect(reported.withLock(\.self) == ["first", "other", "fourth", "another", "sixth"])
    }

    @Test func `the number of remembered problem kinds is bounded, and a new kind is reported after a minute`() {
        let reported = Guarded(0)
        var warnings = RateLimitedWarnings { _ in reported.withLock { $0 += 1 } }
        let start = MonotonicInstant.now
        for number in 0...RateLimitedWarnings.maxKinds { warnings.report("\(number)", "words", at: start) }
        #expect(reported.withLock(\.self) == RateLimitedWarnings.maxKinds)
        warnings.report("another", "words", at: start.advanced(by: .seconds(60)))
        #expect(reported.withLock(\.self) == RateLimitedWarnings.maxKinds + 1)
    }
}
