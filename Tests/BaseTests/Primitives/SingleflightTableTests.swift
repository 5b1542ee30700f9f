import Base
import Testing

@Suite struct SingleflightTableTests {
    private let start = MonotonicInstant.now

    @Test func `a second waiter for a key joins the running operation`() {
        var table = SingleflightTable<String>()
        #expect(table.join(1, "a", until: start) == .first(1))
        #expect(table.join(2, "a", until: start + .seconds(5)) == .joined(1))
        #expect(table.join(3, "b", until: start) == .first(2))
        #expect(table.deadline(of: 1) == start + .seconds(5))
    }

    @Test func `an operation runs until its last waiter is removed`() {
        var table = SingleflightTable<String>()
        _ = table.join(1, "a", until: start)
        _ = table.join(2, "a", until: start)
        #expect(table.leave(1) == nil)
        #expect(table.leave(1) == nil)
        #expect(table.leave(2) == 1)
        #expect(table.callCount == 0)
    }

    @Test func `a finished operation returns its waiters in the order of their ids`() {
        var table = SingleflightTable<String>()
        _ = table.join(7, "a", until: start)
        for waiter in [9, 3, 8] as [UInt64] { _ = table.join(waiter, "a", until: start) }
        #expect(table.finish(1) == [3, 7, 8, 9])
        _ = table.join(7, "a", until: start)
        _ = table.join(2, "a", until: start)
        // The first waiter may leave before the others.
        #expect(table.leave(7) == nil)
        #expect(table.deadline(of: 2) == start)
        #expect(table.finish(2) == [2])
    }

    @Test func `a finished operation, or an operation without waiters, accepts no new waiter`() {
        var table = SingleflightTable<String>()
        _ = table.join(1, "a", until: start)
        #expect(table.leave(1) == 1)
        #expect(table.join(2, "a", until: start) == .first(2))
        // The first operation finishes late. It has no waiters, and does not affect the second operation.
        #expect(table.finish(1) == [])
        #expect(table.join(3, "a", until: start) == .joined(2))
        #expect(table.finish(2) == [2, 3])
        #expect(table.join(4, "a", until: start) == .first(3))
        #expect(table.leave(2) == nil)
    }

    @Test func `the deadline of an operation is the latest deadline of its remaining waiters`() {
        var table = SingleflightTable<String>()
        _ = table.join(1, "a", until: start + .seconds(1))
        _ = table.join(2, "a", until: start + .seconds(9))
        _ = table.leave(2)
        #expect(table.deadline(of: 1) == start + .seconds(1))
        _ = table.leave(1)
        #expect(table.deadline(of: 1) == nil)
    }
}
