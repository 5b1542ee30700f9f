import Testing

@testable import MediaTranscoder

struct FrameScheduleTests {
    @Test(arguments: [
        ([100, 100, 100], 20, [100, 100, 100]), ([16, 17, 17, 16], 20, [33, 0, 33, 0]),
        ([5, 5, 5, 5, 5], 20, [20, 0, 0, 0, 5]), ([30, 400, 30], 100, [430, 0, 30]), ([70], 100, [70]),
    ])
    func `a frame that follows too early is dropped, and the total duration does not change`(
        _ delays: [Int], _ gap: Int, _ shown: [Int]
    ) {
        let schedule = FrameSchedule(delays, gap: gap)
        #expect(schedule.shown == shown)
        #expect(schedule.milliseconds == delays.reduce(0, +))
        #expect(schedule.frameCount == shown.filter { $0 > 0 }.count)
    }

    @Test func `a schedule of equal delays has the frame rate of these delays`() throws {
        let rate = try #require(FrameSchedule([33, 34, 33], gap: 1).constantRate)
        #expect(rate.milliseconds == 100 && rate.images == 3 && rate.counts == [1, 1, 1])
    }

    @Test func `a schedule of different delays has a frame period that divides each delay`() throws {
        let rate = try #require(FrameSchedule([40, 120, 80, 400], gap: 1).constantRate)
        #expect(rate.milliseconds == 40 && rate.images == 1 && rate.counts == [1, 3, 2, 10])
    }

    @Test func `delays without a common divisor are rounded to a frame rate, and their sum does not change`() throws {
        let rate = try #require(FrameSchedule([30, 70, 100, 400, 33, 250], gap: 1).constantRate)
        #expect(rate.milliseconds == 20 && rate.counts == [2, 3, 5, 20, 2, 12])
    }

    @Test(arguments: [[20, 600_000], []])
    func `a schedule that needs too many video frames has no constant rate`(_ delays: [Int]) {
        #expect(FrameSchedule(delays, gap: 1).constantRate == nil)
    }
}
