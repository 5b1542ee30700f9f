import NotificationModel
import Primitives
import Testing
import TranscodePool

struct StartBudgetTests {
    private let start = MonotonicInstant.now

    @Test func `a budget permits four starts for each worker at once, and afterwards ten starts a second`() {
        var budget = StartBudget(size: 2)
        for _ in 0..<8 {
            #expect(budget.wait(at: start) == nil)
            budget.take()
        }
        let next = budget.wait(at: start)
        #expect(next.map { abs(start.duration(to: $0).milliseconds - 50) < 1 } == true)
        #expect(budget.wait(at: next ?? start) == nil)
        budget.take()
        #expect(budget.wait(at: next ?? start) != nil)
    }

    @Test func `a pause refills a budget only up to its initial value`() {
        var budget = StartBudget(size: 1)
        for _ in 0..<4 {
            _ = budget.wait(at: start)
            budget.take()
        }
        let later = start + .seconds(3_600)
        for _ in 0..<4 {
            #expect(budget.wait(at: later) == nil)
            budget.take()
        }
        #expect(budget.wait(at: later) != nil)
    }
}
