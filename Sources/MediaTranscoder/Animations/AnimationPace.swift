import LinuxIO
import TranscodeProtocol

/// A check, after each frame, whether an encoding would end after its deadline. The check fails early enough that a
/// still image can be made before the deadline.
///
/// The estimate of `TranscodePlan` does not include the number of attempts that a GIF needs to fit its cap.
struct AnimationPace {
    /// The number of frames that are encoded before the pace is checked.
    private static let leastFrames = 2
    /// The time that is reserved for a still image, in frames. A still image takes less time than these frames.
    private static let reservedFrames = 4

    /// The deadline, in microseconds of `MonotonicClock`; `nil` means no limit.
    private let deadline: UInt64?
    private var start: UInt64 = 0
    private var (frames, done) = (0, 0)
    /// Whether an encoding was abandoned because of the deadline.
    private(set) var wasLate = false

    init(until deadline: UInt64?) { self.deadline = deadline }

    /// Starts the measurement of an encoding.
    ///
    /// - Parameter frames: The number of frames to work on. A frame counts once for each time that it is decoded.
    mutating func begin(frames: Int, at now: UInt64 = MonotonicClock.microseconds) {
        (self.frames, done, start) = (frames, 0, now)
    }

    /// Counts a finished frame. The encoder calls this function after each frame.
    ///
    /// - Throws: `tooLarge` if the encoding would end after the deadline.
    mutating func finishFrame(at now: UInt64 = MonotonicClock.microseconds) throws(TranscodeFailure) {
        done += 1
        guard let deadline, done >= Self.leastFrames, done < frames else { return }
        let perFrame = Double(now - start) / Double(done)
        guard Double(now) + perFrame * Double(frames - done + Self.reservedFrames) > Double(deadline) else { return }
        wasLate = true
        throw .tooLarge("the budget leaves no time for the animation")
    }
}
