import Base
import Foundation
import Testing

/// Tests of the machine's clock.
@Suite struct SystemClockTests {
    @Test func `the date follows the date of the machine after it is set back`() {
        let machine = Guarded(Date(timeIntervalSince1970: 1_000_000))
        let clock = SystemClock(date: { machine.withLock(\.self) })
        #expect(clock.date == Date(timeIntervalSince1970: 1_000_000))
        machine.withLock { $0 = Date(timeIntervalSince1970: 500_000) }
        #expect(clock.date == Date(timeIntervalSince1970: 500_000))
    }

    @Test func `a clock that starts at a date advances from this date`() async {
        let start = Date(timeIntervalSince1970: 1_000_000)
        let clock = SystemClock(startingAt: start)
        let first = clock.date
        #expect(first >= start && first < start.addingTimeInterval(60))
        #expect(clock.date >= first)
    }
}
