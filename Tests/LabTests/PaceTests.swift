import Lab
import Testing

struct PaceTests {
    @Test func `a body is spread evenly over its duration, and the last byte is due at the end`() throws {
        let pace = try #require(Pace(bytes: 1000, over: .seconds(1)))
        #expect(pace.offset(at: .zero) == 0)
        #expect(pace.offset(at: .milliseconds(49)) == 0)
        #expect(pace.offset(at: .milliseconds(50)) == 50)
        #expect(pace.offset(at: .milliseconds(999)) == 950)
        #expect(pace.offset(at: .seconds(1)) == 1000)
        #expect(pace.nextTick(after: .zero) == .milliseconds(50))
        #expect(pace.nextTick(after: .milliseconds(50)) == .milliseconds(100))
    }

    @Test(arguments: [(7, 1000), (3, 1), (1, 3_600_000), (123_457, 777), (50_000_000_000, 3_599_999)])
    func `bytes are due at each tick until all bytes are sent`(bytes: Int, milliseconds: Int) throws {
        let pace = try #require(Pace(bytes: bytes, over: .milliseconds(milliseconds)))
        var elapsed = Duration.zero
        var sent = 0
        while sent < bytes {
            elapsed = pace.nextTick(after: elapsed)
            let due = pace.offset(at: elapsed)
            try #require(due > sent)
            sent = due
        }
        #expect(sent == bytes)
        #expect(elapsed >= .milliseconds(milliseconds))
        #expect(elapsed < .milliseconds(milliseconds) + .nanoseconds(1))
    }

    @Test func `a head is sent one byte at a time`() throws {
        let pace = try #require(Pace(bytes: 250, over: .seconds(2), tick: Pace.shortestHeadTick))
        #expect((1...250).map { pace.offset(at: .milliseconds(8 * $0)) } == Array(1...250))
    }

    @Test func `an endless body is sent at a constant rate`() throws {
        let pace = try #require(Pace(bytes: 1001, over: .seconds(1)))
        #expect(pace.offset(at: .seconds(1000)) == 1_001_000)
    }

    @Test func `a pace without bytes or without time is nil`() {
        #expect(Pace(bytes: 0, over: .seconds(1)) == nil)
        #expect(Pace(bytes: 1, over: .zero) == nil)
    }
}
