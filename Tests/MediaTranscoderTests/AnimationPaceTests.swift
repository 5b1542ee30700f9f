import Base
import Testing
import TranscodeProtocol

@testable import MediaTranscoder

/// The tests of the pace of an encoding. All times are in microseconds.
struct AnimationPaceTests {
    /// Returns the number of the frame, 1…10, after which an encoding is abandoned; `nil` if the encoding ends.
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

    @Test func `an encoding that would end after its deadline is abandoned early`() {
        #expect(Self.giveUp(microsecondsPerFrame: 100, until: 2_000) == 2)
        // Some time is reserved for a still image.
        #expect(Self.giveUp(microsecondsPerFrame: 100, until: 2_100) == 2)
        #expect(Self.giveUp(microsecondsPerFrame: 100, until: 2_400) == nil)
    }

    @Test func `an encoding without a deadline or with a single frame is never abandoned`() {
        #expect(Self.giveUp(microsecondsPerFrame: 1_000_000, until: nil) == nil)
        var pace = AnimationPace(until: 10)
        pace.begin(frames: 1, at: 0)
        #expect(throws: Never.self) { try pace.finishFrame(at: 100) }
    }

    @Test func `an animation that is slower than its estimate becomes a still image and reports the reason`() throws {
        var order = Workbench.order(.attachment, 60)
        order.takesVideos = false
        // An attachment is made at any speed of the machine.
        let outcome = Workbench.run(AnimationFile.fixture("1001-frames.webp"), as: .webp, [order], milliseconds: 120)
        let report = try #require(outcome.reports.first, "\(outcome.reply)")
        #expect(report.frames > 1 || report.reduction == .still)
    }
}
