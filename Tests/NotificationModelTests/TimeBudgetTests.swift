import Base
import NotificationModel
import Testing

@Suite struct TimeBudgetTests {
    private let received = MonotonicInstant.now

    @Test(
        arguments: [
            (.seconds(30), .milliseconds(250)), (.seconds(3_600), .milliseconds(250)),
            (.milliseconds(2_501), .milliseconds(250)),
            (.milliseconds(2_500), .milliseconds(250)), (.milliseconds(2_499), .microseconds(249_900)),
            (.seconds(1), .milliseconds(100)), (.milliseconds(10), .milliseconds(1)), (.zero, .zero),
        ] as [(Duration, Duration)])
    func `the reserve is a tenth of the budget, at most 250 ms`(length: Duration, reserve: Duration) {
        let budget = TimeBudget(received: received, length: length)
        #expect(budget.reserve == reserve)
        #expect(budget.length == length)
        #expect(budget.deadline == received.advanced(by: length))
        #expect(budget.stagesEnd == received.advanced(by: length - reserve))
    }

    @Test func `a budget with a deadline in the past has the length zero`() {
        let budget = TimeBudget(received: received, length: .seconds(-5))
        #expect(budget == TimeBudget(received: received, length: .zero))
        #expect(budget.stagesEnd == received)
        #expect(budget.deadline == received)
    }

    @Test(
        arguments: [
            (.zero, 0), (.milliseconds(1), 1), (.microseconds(1_500), 1.5), (.seconds(-2), -2_000),
            (.seconds(90), 90_000),
        ] as [(Duration, Double)])
    func `a duration is converted to milliseconds with a fraction`(duration: Duration, milliseconds: Double) {
        #expect(duration.milliseconds == milliseconds)
        #expect(duration.seconds == milliseconds / 1_000)
    }
}
