import LinuxIO

/// How long an encoding takes in all, measured by what of the video is done.
struct EncodingProgress {
    private let seconds: Double
    private let deadline: UInt64?
    private let start: UInt64
    private var frames = 0

    /// Encoders hold the first frames back, so that these tell nothing.
    private static let leastFrames = 24
    private static let leastPart = 0.1
    /// Frames between two looks at the clock.
    private static let interval = 8
    /// Held back frames are encoded at the end, after what is measured.
    private static let rest = 1.05

    /// - Parameters:
    ///   - milliseconds: the duration of the video; without one nothing can be told.
    ///   - start: the start of the encoding, in microseconds of `MonotonicClock`.
    init(_ milliseconds: UInt64?, deadline: UInt64?, since start: UInt64 = MonotonicClock.microseconds) {
        self.start = start
        seconds = Double(milliseconds ?? 0) / 1_000
        self.deadline = deadline
    }

    /// Call it after each frame of the source.
    ///
    /// - Parameter done: seconds of the video.
    /// - Returns: the microseconds of the whole encoding if it would end after the deadline.
    mutating func late(after done: Double) -> Double? {
        frames += 1
        guard let deadline, seconds > 0, frames >= Self.leastFrames, frames.isMultiple(of: Self.interval) else {
            return nil
        }
        let part = done / seconds
        guard part >= Self.leastPart, part < 1 else { return nil }
        let whole = Double(MonotonicClock.microseconds - start) / part * Self.rest
        return Double(start) + whole > Double(deadline) ? whole : nil
    }
}
