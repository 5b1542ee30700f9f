import Base
import NotificationModel
import Testing

@testable import TranscodePool

struct StartBudgetTests {
    private let start = MonotonicInstant.now

    @Test func `a budget permits four starts for each worker at once, and afterwards ten starts a second`() {
        var budget = StartBudget(size: 2)
        #expect((0..<9).map { _ in budget.take(at: start) } == Array(repeating: true, count: 8) + [false])
        #expect(budget.take(at: start + .milliseconds(49)) == false)
        #expect(budget.take(at: start + .milliseconds(50)) == true)
        #expect(budget.take(at: start + .milliseconds(50)) == false)
    }

    @Test func `a pause refills a budget only up to its initial value`() {
        var budget = StartBudget(size: 1)
        for instant in [start, start + .seconds(3_600)] {
            #expect((0..<5).map { _ in budget.take(at: instant) } == [true, true, true, true, false])
        }
    }
}
