import Base
import CFFmpeg
import TranscodeProtocol

/// The transcoding of an opaque animation to an H.264 video.
enum AnimationVideo {
    struct Made {
        var report: RenditionReport
        /// Whether the first frame has at most as many colors as a GIF's palette, so that a GIF may be smaller.
        var isDrawing: Bool
    }

    /// Writes the video. If it is too large, a second attempt halves the longest side and the bit rate.
    ///
    /// - Returns: `nil` if a frame has transparent pixels, which a video cannot show.
    static func write(
        _ source: borrowing MappedInput, facts: ImageFacts, order: RenditionSpec, output: Int32,
        limits: DecodeLimits, pace: inout AnimationPace, clock: inout StageClock
    ) throws(TranscodeFailure) -> Made? {
        do throws(TranscodeFailure) {
            return try write(
                source, facts: facts, order: order, output: output, limits: limits, share: 1, pace: &pace,
                clock: &clock)
        } catch {
            // The rate control keeps its limit only approximately.
            guard error.code == .tooLarge, !pace.wasLate else { throw error }
            var smaller = order
            smaller.videoSide = max(16, UInt32(facts.size.fitting(longestSide: Int(order.videoSide)).longestSide) / 2)
            return try write(
                source, facts: facts, order: smaller, output: output, limits: limits, share: 0.5, pace: &pace,
                clock: &clock)
        }
    }

    private static func write(
        _ source: borrowing MappedInput, facts: ImageFacts, order: RenditionSpec, output: Int32,
        limits: DecodeLimits, share: Double, pace: inout AnimationPace, clock: inout StageClock
    ) throws(TranscodeFailure) -> Made? {
        let frames = try facts.frames(of: source)
        let file = try OutputFile(output, maxBytes: order.videoBytes)
        let size = facts.size.fitting(longestSide: Int(order.videoSide)).even
        let schedule = FrameSchedule(facts.delays, gap: 1)
        let rate = schedule.constantRate
        var writer = try VideoWriter.open(
            encoding(
                size, rate,
                limit: try RateLimit.fitting(
                    bytes: order.videoBytes, milliseconds: UInt64(schedule.milliseconds), audio: 0, share: share)),
            of: facts.format, audio: nil, file: file, limits: limits)
        var scaling = AnimationScaling(size: size)
        var (shown, time, isDrawing) = (0, 0, false)
        pace.begin(frames: facts.delays.count)
        while shown < facts.delays.count, let frame = try clock.measure(.decode, frames.next()) {
            guard let scaled = try clock.measure(.scale, scaling.scale(frame)) else { return nil }
            if shown == 0 {
                isDrawing = try clock.measure(.scale, AnimationGIF.isDrawing(frame, side: Int(order.imageSide)))
            }
            try clock.measure(.encode) { () throws(TranscodeFailure) in
                let (count, step) = rate.map { ($0.counts[shown], 1) } ?? (1, schedule.shown[shown])
                for _ in 0..<count {
                    try writer.write(scaled, at: Int64(time), duration: Int64(step))
                    time += step
                }
            }
            shown += 1
            try pace.finishFrame()
        }
        guard shown == facts.delays.count else { throw .corrupt("the animation lacks frames") }
        try clock.measure(.encode, writer.finish())
        var report = writer.report(order, size)
        report.durationMilliseconds = UInt64(schedule.milliseconds)
        report.cut(to: shown, of: facts)
        return Made(report: report, isDrawing: isDrawing)
    }

    private static func encoding(
        _ size: PixelSize, _ rate: FrameSchedule.ConstantRate?, limit: RateLimit?
    ) -> VideoEncoding {
        let step = rate.map { reduced($0.milliseconds, 1_000 * $0.images) } ?? AVRational(num: 1, den: 1_000)
        return VideoEncoding(
            size: size, timeBase: step,
            frameRate: rate == nil ? AVRational(num: 0, den: 1) : AVRational(num: step.den, den: step.num),
            limit: limit, holdsBackFrames: false,
            colors: VideoColors(
                matrix: AVCOL_SPC_SMPTE170M, primaries: AVCOL_PRI_BT709, transfer: AVCOL_TRC_IEC61966_2_1))
    }

    private static func reduced(_ numerator: Int, _ denominator: Int) -> AVRational {
        var (num, den): (Int32, Int32) = (0, 0)
        unsafe av_reduce(&num, &den, Int64(numerator), Int64(denominator), 1 << 30)
        return AVRational(num: max(1, num), den: max(1, den))
    }
}
