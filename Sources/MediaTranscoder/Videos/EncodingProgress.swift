import LinuxIO

/// An estimate of the whole time of an encoding, computed from the part of the video that is done.
struct EncodingProgress {
    private let seconds: Double
    private let deadline: UInt64?
    private let start: UInt64
    private var frames = 0

    /// The number of frames before the first estimate. Encoders hold the first ones back, so their times mean little.
    private static let leastFrames = 24
    private static let leastPart = 0.1
    /// The number of frames between two checks of the clock.
    private static let interval = 8
    /// The factor for the frames that the encoder holds back. They are encoded after the measurement.
    private static let rest = 1.05

    /// Starts the measurement of an encoding.
    ///
    /// - Parameter milliseconds: The duration of the video; `nil` means no estimate.
    /// - Parameter deadline: The deadline, in microseconds of `MonotonicClock`; `nil` means no limit.
    /// - Parameter start: The start of the encoding, in microseconds of `MonotonicClock`.
    init(_ milliseconds: UInt64?, deadline: UInt64?, since start: UInt64 = MonotonicClock.microseconds) {
        self.start = start
        seconds = Double(milliseconds ?? 0) / 1_000
        self.deadline = deadline
    }

    /// Counts a frame of the source, and checks the deadline. The encoder calls this function after each frame.
    ///
    /// - Parameter done: The part of the video that is encoded, in seconds.
    /// - Returns: The estimated time of the whole encoding in microseconds, if it would be late; else `nil`.
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
