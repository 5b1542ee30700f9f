import CFFmpeg

/// The constant frame rate of a video that is encoded. Each frame of the source fills the times from its own one up to
/// the next frame's; a frame that comes less than a time after the one before is left out.
struct FrameGrid {
    /// Frames a second.
    let rate: AVRational
    /// The number of the frame that is shown, and has been written up to here.
    private(set) var last: Int64?
    /// The time of the first frame, from which the others are counted.
    private var origin: Double?

    /// More frames a second show nothing on a phone.
    private static let mostFrames = 60.0
    /// The rate for videos whose frames come at uneven times, unless they come faster.
    private static let usual = 30.0
    /// Part of a frame that a time stamp may be early: containers round them to milliseconds.
    private static let tolerance = 0.25

    init(rate: AVRational) { self.rate = rate }

    var framesPerSecond: Double { Double(rate.num) / Double(rate.den) }

    /// Returns the number of a frame on the grid.
    ///
    /// - Returns: `nil` for a frame that is left out.
    mutating func place(atSeconds time: Double) -> Int64? {
        // A time that no file of ten minutes has would overflow.
        guard abs(time) < 1e6 else { return nil }
        let origin = origin ?? time
        self.origin = origin
        let first = (origin * framesPerSecond).rounded()
        let number = Int64(first + ((time - origin) * framesPerSecond + Self.tolerance).rounded(.down))
        if let last, number <= last { return nil }
        last = number
        return number
    }

    /// The rate at which a stream is encoded: its own one, or that of a grid for uneven frames.
    ///
    /// - Parameters:
    ///   - named: of the stream; 0/1 for a stream that says none.
    ///   - mean: frames a second that were counted, for a stream that says none; `nil`: unknown.
    static func rate(named: AVRational, isVariable: Bool, mean: Double?) -> AVRational {
        let isNamed = named.num > 0 && named.den > 0
        let frames = isNamed ? Double(named.num) / Double(named.den) : mean ?? usual
        guard !isVariable, frames >= 1 else { return AVRational(num: frames > usual ? 60 : 30, den: 1) }
        guard frames <= mostFrames else { return thousandths(frames / (frames / mostFrames).rounded(.up)) }
        return isNamed ? named : thousandths(frames)
    }

    private static func thousandths(_ rate: Double) -> AVRational {
        AVRational(num: Int32((rate * 1_000).rounded()), den: 1_000)
    }
}
