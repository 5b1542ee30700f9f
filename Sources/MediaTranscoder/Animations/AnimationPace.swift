import LinuxIO
import TranscodeProtocol

/// Tells from the frames that are done whether an encoding would end after its deadline, while there is time for a still.
///
/// The estimate of `TranscodePlan` does not know how many attempts a GIF needs to fit its cap.
struct AnimationPace {
    /// Frames that are done before the pace is judged.
    private static let leastFrames = 2
    /// A still takes less time than so much work on frames.
    private static let reservedFrames = 4

    /// The end of the time, in microseconds of `MonotonicClock`; `nil` is no limit.
    private let deadline: UInt64?
    private var start: UInt64 = 0
    private var (frames, done) = (0, 0)
    /// Whether an encoding was given up.
    private(set) var wasLate = false

    init(until deadline: UInt64?) {
        self.deadline = deadline
    }

    /// Begins an encoding.
    ///
    /// - Parameter frames: the number of frames to work on; a frame counts again for each time that it is decoded.
    mutating func begin(frames: Int, at now: UInt64 = MonotonicClock.microseconds) {
        (self.frames, done, start) = (frames, 0, now)
    }

    /// Call it after each frame.
    ///
    /// - Throws: `tooLarge` if the encoding would end after the deadline.
    mutating func finishFrame(at now: UInt64 = MonotonicClock.microseconds) throws(TranscodeFailure) {
        done += 1
        guard let deadline, done >= Self.leastFrames, done < frames else { return }
        let perFrame = Double(now - start) / Double(done)
        guard Double(now) + perFrame * Double(frames - done + Self.reservedFrames) > Double(deadline) else { return }
        wasLate = true
        throw TranscodeFailure(.tooLarge, "the budget leaves no time for the animation")
    }
}
