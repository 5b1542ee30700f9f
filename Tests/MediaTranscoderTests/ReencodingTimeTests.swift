import Base
import Glibc
import LinuxIO
import Testing
import TranscodeProtocol

@testable import MediaTranscoder

/// The tests of the expected time of a video, and of the rendition that is made if the available time is shorter.
@Suite struct ReencodingTimeTests {
    private func run(_ side: UInt32, milliseconds: UInt32? = nil) throws -> (Workbench.Outcome, microseconds: Double) {
        func now() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
        }
        let source = Workbench.fixture("video-1080p.mp4")
        let start = now()
        let order = Workbench.order(.attachment, 1_024, videoSide: side)
        let outcome = Workbench.run(source, as: .mp4, [order], milliseconds: milliseconds)
        return (outcome, now() - start)
    }

    /// A slower machine is slower by the same factor for all sizes. The pace, which is learned, is this factor. Other
    /// processes can only add time, so the least time of up to three rounds counts.
    @Test func `the ratio of real to estimated time is similar for all sizes of a video`() throws {
        let sides: [UInt32] = [320, 640, 1_280]
        var factors = sides.map { _ in Double.infinity }
        func areSimilar() -> Bool { factors.max()! / factors.min()! < 1.5 }
        for _ in 1...3 where !areSimilar() {
            for (index, side) in sides.enumerated() {
                let (outcome, took) = try run(side)
                factors[index] = min(factors[index], took / Double(try #require(outcome.reply.cost?.made)))
            }
        }
        #expect(areSimilar(), "\(factors)")
        // The estimates are those of another machine, and other processes may use this one.
        #expect(factors.min()! > 0.3 && factors.max()! < 4, "\(factors)")
    }

    @Test func `a video with little time gets the faster preset, and a video with less time becomes a still image`()
        throws
    {
        let whole = try #require(try run(1_280).0.reply.cost)
        #expect(whole.made == whole.ordered)
        // The time is enough for the faster preset by the estimate, and also on a machine of half the speed.
        let plan = Double(whole.ordered) / 1_000 * SpeedEstimate().factor
        let (less, _) = try run(1_280, milliseconds: UInt32(plan * 0.9))
        if let made = less.reply.cost?.made { #expect(made < whole.ordered) }
        let (least, _) = try run(1_280, milliseconds: UInt32(plan * 0.1))
        #expect(least.reports.first?.reduction == .still && least.reports.first?.format == .jpeg)
        #expect(least.reply.cost?.ordered == whole.ordered)
    }

    @Test func `an encoding that would end after its deadline is detected by its progress`() {
        let far = MonotonicClock.microseconds + 600_000_000
        var early = EncodingProgress(10_000, deadline: far)
        #expect((0..<200).allSatisfy { early.late(after: Double($0) * 0.04) == nil })
        let now = MonotonicClock.microseconds
        var late = EncodingProgress(10_000, deadline: now + 1_000, since: now - 20_000)
        let whole = (0..<200).compactMap { late.late(after: Double($0) * 0.04) }
        #expect((whole.first ?? 0) > 20_000)
        var unknown = EncodingProgress(nil, deadline: 1)
        #expect((0..<200).allSatisfy { unknown.late(after: Double($0)) == nil })
    }
}
