import Base
import Testing

@Suite struct RecentPeriodsTests {
    private let start = MonotonicInstant.now

    private func at(_ seconds: Int) -> MonotonicInstant { start.advanced(by: .seconds(seconds)) }

    @Test func `a value is kept for one to two periods`() {
        var periods = RecentPeriods<Int>(of: .seconds(60), at: start) { 0 }
        periods.change(at: at(59)) { $0 += 1 }
        periods.turn(at: at(60))
        #expect(periods.previous == 1 && periods.current == 0)
        #expect(periods.covered(at: at(90)) == .seconds(90))
        periods.turn(at: at(119))
        #expect(periods.previous == 1)
        periods.turn(at: at(120))
        #expect(periods.previous == 0)
    }

    @Test func `values from before a long silence are dropped`() {
        var periods = RecentPeriods<Int>(of: .seconds(60), at: start) { 0 }
        periods.change(at: start) { $0 += 1 }
        periods.turn(at: at(500))
        #expect(periods.previous == nil && periods.current == 0)
        #expect(periods.covered(at: at(510)) == .seconds(10))
    }
}
