import NotificationModel
import Testing

@Suite struct SingleflightTableTests {
    private let start = MonotonicInstant.now

    @Test func `the second follower joins the first one's flight`() {
        var ledger = SingleflightTable<String>()
        #expect(ledger.join(1, "a", until: start) == .first(1))
        #expect(ledger.join(2, "a", until: start + .seconds(5)) == .joined(1))
        #expect(ledger.join(3, "b", until: start) == .first(2))
        #expect(ledger.deadline(of: 1) == start + .seconds(5))
    }

    @Test func `a flight goes on until the last has left`() {
        var ledger = SingleflightTable<String>()
        _ = ledger.join(1, "a", until: start)
        _ = ledger.join(2, "a", until: start)
        #expect(ledger.leave(1) == nil)
        #expect(ledger.leave(1) == nil)
        #expect(ledger.leave(2) == 1)
        #expect(ledger.flightCount == 0)
    }

    @Test func `who landed is told in the order of their numbers`() {
        var ledger = SingleflightTable<String>()
        _ = ledger.join(7, "a", until: start)
        for waiter in [9, 3, 8] as [UInt64] { _ = ledger.join(waiter, "a", until: start) }
        #expect(ledger.finish(1) == [3, 7, 8, 9])
        _ = ledger.join(7, "a", until: start)
        _ = ledger.join(2, "a", until: start)
        // The first one may leave before the others.
        #expect(ledger.leave(7) == nil)
        #expect(ledger.deadline(of: 2) == start)
        #expect(ledger.finish(2) == [2])
    }

    @Test func `nobody joins a flight that all have left, or that has landed`() {
        var ledger = SingleflightTable<String>()
        _ = ledger.join(1, "a", until: start)
        #expect(ledger.leave(1) == 1)
        #expect(ledger.join(2, "a", until: start) == .first(2))
        // The first one lands late: it has nobody, and takes nothing from the second.
        #expect(ledger.finish(1) == [])
        #expect(ledger.join(3, "a", until: start) == .joined(2))
        #expect(ledger.finish(2) == [2, 3])
        #expect(ledger.join(4, "a", until: start) == .first(3))
        #expect(ledger.leave(2) == nil)
    }

    @Test func `the deadline is that of the most patient who is still there`() {
        var ledger = SingleflightTable<String>()
        _ = ledger.join(1, "a", until: start + .seconds(1))
        _ = ledger.join(2, "a", until: start + .seconds(9))
        _ = ledger.leave(2)
        #expect(ledger.deadline(of: 1) == start + .seconds(1))
        _ = ledger.leave(1)
        #expect(ledger.deadline(of: 1) == nil)
    }
}
