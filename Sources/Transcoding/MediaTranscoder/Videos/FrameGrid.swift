import CFFmpeg

/// The constant frame rate of an encoded video. Each frame of the source fills the grid from its own time to that of
/// the next frame. A frame that comes less than one grid step after the previous frame is dropped.
struct FrameGrid {
    /// The frame rate, in frames per second.
    let rate: AVRational
    /// The grid number of the last frame that was placed; `nil` before the first one.
    private(set) var last: Int64?
    /// The time of the first frame, in seconds, from which the other times are counted; `nil` before the first frame.
    private var origin: Double?

    /// The highest frame rate, in frames per second. More frames make no visible difference on a phone.
    private static let maxFrames = 60.0
    /// The rate for videos with uneven times, in frames per second, unless their mean rate is higher.
    private static let usual = 30.0
    /// The fraction of a grid step by which a time stamp may be early. Containers round time stamps to milliseconds.
    private static let tolerance = 0.25

    init(rate: AVRational) { self.rate = rate }

    var framesPerSecond: Double { Double(rate.num) / Double(rate.den) }

    /// Returns the number of a frame on the grid.
    ///
    /// - Returns: `nil` for a frame that is dropped.
    mutating func place(atSeconds time: Double) -> Int64? {
        // A later time, which is beyond the limit of the duration, would overflow the frame number.
        guard abs(time) < 1e6 else { return nil }
        let origin = origin ?? time
        self.origin = origin
        let first = (origin * framesPerSecond).rounded()
        let number = Int64(first + ((time - origin) * framesPerSecond + Self.tolerance).rounded(.down))
        if let last, number <= last { return nil }
        last = number
        return number
    }

    /// Returns the rate at which a stream is encoded. It is the stream's own, or that of a grid for uneven frames.
    ///
    /// - Parameter named: The rate that the stream states, or 0/1 if it states none.
    /// - Parameter mean: The counted mean rate, in frames per second, if the stream states none; `nil` if unknown.
    static func rate(named: AVRational, isVariable: Bool, mean: Double?) -> AVRational {
        let isNamed = named.num > 0 && named.den > 0
        let frames = isNamed ? Double(named.num) / Double(named.den) : mean ?? usual
        guard !isVariable, frames >= 1 else { return AVRational(num: frames > usual ? 60 : 30, den: 1) }
        guard frames <= maxFrames else { return thousandths(frames / (frames / maxFrames).rounded(.up)) }
        return isNamed ? named : thousandths(frames)
    }

    private static func thousandths(_ rate: Double) -> AVRational {
        AVRational(num: Int32((rate * 1_000).rounded()), den: 1_000)
    }
}

/// The times at which the decoded frames of an AVI begin.
///
/// The chunks of an AVI come at even times, in the sequence of decoding. An empty chunk extends the time of the
/// previous frame. A decoder that holds frames back returns a frame when it gets the chunk at whose time the frame
/// begins. Each frame is therefore late by the delay of the first one.
struct ChunkTimes {
    private var first: Int64?
    /// The time of the last chunk; `nil` after the decoder has returned a frame.
    private var last: Int64?
    private var count = 0
    /// The time from the first chunk to that with which the decoder returns the first frame; `nil` before that frame.
    private var delay: Int64?

    /// The largest number of frames that an H.264 decoder holds back (ITU-T H.264, A.3.1).
    private static let maxDelayed = 16

    /// Adds the time of a chunk that is not empty, in the time base of the stream. The times increase.
    mutating func add(_ time: Int64) {
        first = first ?? time
        last = time
        count += 1
    }

    /// Returns the time at which the next decoded frame begins.
    ///
    /// - Returns: `nil` for a frame that the decoder returns directly after the previous one, without another chunk.
    mutating func next() -> Int64? {
        guard let time = last.take(), let first else { return nil }
        // If more chunks came than a decoder can hold back, the first chunks could not be decoded.
        let delay = delay ?? (count <= Self.maxDelayed + 1 ? time - first : 0)
        self.delay = delay
        return time - delay
    }
}
