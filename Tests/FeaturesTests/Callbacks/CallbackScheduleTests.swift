import Base
import FoundationEssentials
import NotificationModel
import Testing

@testable import Features

/// Tests of the pauses between attempts, and of what the answers of a target mean.
@Suite struct CallbackScheduleTests {
    @Test func `the pauses are those of Standard Webhooks`() {
        let pauses = (1...10).map { CallbackSchedule.pause(after: $0, retryAfter: nil, random: 0) }
        let seconds = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]
        #expect(pauses == seconds.map { .seconds($0) } + [nil])
    }

    @Test func `the jitter adds at most a tenth of the pause`() {
        for (random, seconds) in [(1.0, 330.0), (0.5, 315)] {
            let pause = CallbackSchedule.pause(after: 2, retryAfter: nil, random: random) ?? .zero
            #expect(abs(pause.seconds - seconds) < 0.001)
        }
    }

    @Test func `a longer pause of the target replaces that of the schedule, up to a day`() {
        #expect(CallbackSchedule.pause(after: 1, retryAfter: .seconds(60), random: 0) == .seconds(60))
        #expect(CallbackSchedule.pause(after: 3, retryAfter: .seconds(60), random: 0) == .seconds(1_800))
        #expect(CallbackSchedule.pause(after: 1, retryAfter: .seconds(1_000_000), random: 0) == .seconds(86_400))
    }

    @Test(arguments: [
        (200, CallbackVerdict.Kind.delivered), (204, .delivered), (299, .delivered), (301, .refused), (307, .refused),
        (304, .refused), (400, .refused), (401, .refused), (404, .refused), (408, .unavailable), (410, .gone),
        (429, .unavailable), (500, .unavailable), (502, .unavailable), (503, .unavailable), (504, .unavailable),
    ])
    func `only a status of 2xx is a success`(status: Int, kind: CallbackVerdict.Kind) {
        let verdict = CallbackVerdict(.answered(status: status, retryAfter: nil, body: []))
        #expect(verdict.kind == kind && verdict.status == status)
        #expect((verdict.problem == nil) == (kind == .delivered))
    }

    @Test func `a target that cannot be reached is unavailable`() {
        let verdict = CallbackVerdict(.failed("the name has no address"))
        #expect(verdict.kind == .unavailable && verdict.status == nil && verdict.problem == "the name has no address")
    }
}
