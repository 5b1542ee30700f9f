import Testing
import TranscodeProtocol

@testable import MediaTranscoder

/// Times are in microseconds.
struct AnimationPaceTests {
    /// The frame of ten, from 1 on, after which an encoding is given up; `nil` if it ends.
    private static func giveUp(microsecondsPerFrame: UInt64, until deadline: UInt64?) -> Int? {
        var pace = AnimationPace(until: deadline)
        pace.begin(frames: 10, at: 1_000)
        for frame in 1...10 {
            do throws(TranscodeFailure) {
                try pace.finishFrame(at: 1_000 + UInt64(frame) * microsecondsPerFrame)
            } catch {
                return error.code == .tooLarge && pace.wasLate ? frame : 0
            }
        }
        return pace.wasLate ? 0 : nil
    }

    @Test func `an encoding that would end after its deadline is given up early`() {
        #expect(Self.giveUp(microsecondsPerFrame: 100, until: 2_000) == 2)
        // Time for a still is kept.
        #expect(Self.giveUp(microsecondsPerFrame: 100, until: 2_100) == 2)
        #expect(Self.giveUp(microsecondsPerFrame: 100, until: 2_400) == nil)
    }

    @Test func `an encoding without a deadline, and the last frame of one, are never late`() {
        #expect(Self.giveUp(microsecondsPerFrame: 1_000_000, until: nil) == nil)
        var pace = AnimationPace(until: 10)
        pace.begin(frames: 1, at: 0)
        #expect(throws: Never.self) { try pace.finishFrame(at: 100) }
    }

    @Test func `an animation that is slower than its estimate becomes a still, and says why`() throws {
        var order = Workbench.order(.attachment, 60)
        order.takesVideos = false
        // There is an attachment, whatever the speed of this machine.
        let outcome = Workbench.run(AnimationFile.fixture("1001-frames.webp"), as: .webp, [order], milliseconds: 120)
        let report = try #require(outcome.reports.first, "\(outcome.reply)")
        #expect(report.frames > 1 || report.reduction == .still)
    }
}
