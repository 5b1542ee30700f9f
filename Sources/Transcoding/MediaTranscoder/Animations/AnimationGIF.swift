import Base
import CFFmpeg
import MediaHeaders
import TranscodeProtocol

/// The transcoding of an animation to a GIF. The frames are decoded twice, for the palette, and to be encoded with it.
enum AnimationGIF {
    enum Outcome {
        case made(GIFRendition)
        /// The GIF has too many bytes. The number is an estimate of its whole size, because encoding stops at the cap.
        case tooLarge(Int)
    }

    /// Writes the first GIF that does not exceed the size limit of `order`.
    ///
    /// - Throws: `tooLarge` if no attempt fits.
    static func write(
        _ source: borrowing MappedInput, facts: ImageFacts, order: RenditionSpec, output: Int32,
        search: AnimationCapSearch, pace: inout AnimationPace, clock: inout StageClock
    ) throws(TranscodeFailure) -> RenditionReport {
        var search = search
        let delay = facts.delays.reduce(0, +) / max(1, facts.delays.count)
        while let attempt = search.next(delay: delay) {
            let outcome = try bytes(
                source, facts: facts, attempt: attempt, maxBytes: Int(clamping: order.imageBytes), pace: &pace,
                clock: &clock)
            switch outcome {
            case .made(let gif): return try gif.write(to: output, order: order, facts: facts)
            case .tooLarge(let count): search.exceeded(bytes: count)
            }
        }
        throw .tooLarge("no animation fits \(order.imageBytes) bytes")
    }

    static func bytes(
        _ source: borrowing MappedInput, facts: ImageFacts, attempt: AnimationCapSearch.Attempt, maxBytes: Int,
        pace: inout AnimationPace, clock: inout StageClock
    ) throws(TranscodeFailure) -> Outcome {
        var facts = facts
        facts.delays = Array(facts.delays.prefix(attempt.frames))
        let size = facts.size.fitting(longestSide: attempt.side)
        let schedule = FrameSchedule(facts.delays, gap: attempt.gap)
        pace.begin(frames: 2 * schedule.frameCount)
        var histogram = ColorHistogram()
        try forEachFrame(source, facts, schedule, size, &pace, &clock) { frame, _ in
            histogram.add(frame)
            return true
        }
        let palette = GIFPalette(histogram, most: attempt.colors)
        var assembly = GIFAssembly(size: size, palette: palette, tolerance: attempt.tolerance, plays: facts.plays)
        try forEachFrame(source, facts, schedule, size, &pace, &clock) { frame, milliseconds in
            assembly.add(frame, milliseconds: milliseconds)
            return assembly.bytes.count <= maxBytes
        }
        assembly.finish()
        let (count, frames) = (assembly.bytes.count, schedule.frameCount)
        guard count <= maxBytes else {
            return .tooLarge(count.multipliedOrMax(by: frames) / max(1, assembly.frameEnds.count))
        }
        return .made(
            GIFRendition(
                bytes: assembly.bytes, frameEnds: assembly.frameEnds, size: size, frames: frames,
                sourceFrames: attempt.frames, milliseconds: schedule.milliseconds))
    }

    /// Calls `body` with each frame of the schedule, scaled to `size`, until `body` returns `false`.
    private static func forEachFrame(
        _ source: borrowing MappedInput, _ facts: ImageFacts, _ schedule: FrameSchedule, _ size: PixelSize,
        _ pace: inout AnimationPace, _ clock: inout StageClock, _ body: (borrowing Frame, Int) -> Bool
    ) throws(TranscodeFailure) {
        let frames = try facts.frames(of: source)
        for milliseconds in schedule.shown {
            guard let frame = try clock.measure(.decode, frames.next()) else {
                throw .corrupt("the animation lacks frames")
            }
            guard milliseconds > 0 else { continue }
            let screen = try clock.measure(
                .scale, planes(of: ColorConversion.sRGB(ImageScaling.scale(frame, to: size))))
            guard try clock.measure(.encode, body(screen, milliseconds)) else { return }
            try pace.finishFrame()
        }
    }

    /// Returns whether a frame has at most as many colors as a GIF's palette.
    static func isDrawing(_ frame: borrowing Frame, side: Int) throws(TranscodeFailure) -> Bool {
        let size = frame.size.fitting(longestSide: side)
        var colors = ExactColors()
        try planes(of: ColorConversion.sRGB(ImageScaling.scale(frame, to: size))).forEachPixel { _, _, pixel in
            colors.add(pixel.color)
        }
        return !colors.isFull
    }

    /// Returns the image with red, green and blue in separate planes. An alpha plane is kept.
    private static func planes(of image: consuming ScaledImage) throws(TranscodeFailure) -> Frame {
        let format = image.frame.format
        guard format != AV_PIX_FMT_GBRP, format != AV_PIX_FMT_GBRAP else { return image.frame }
        return try image.frame.converted(to: AV_PIX_FMT_GBRP)
    }
}

/// A finished GIF in memory.
struct GIFRendition {
    var bytes: [UInt8]
    var frameEnds: [Int]
    var size: PixelSize
    var frames: Int
    /// The number of the source's frames up to the last shown one, including those that are left out before it.
    var sourceFrames: Int
    var milliseconds: Int

    func write(to output: Int32, order: RenditionSpec, facts: ImageFacts) throws(TranscodeFailure) -> RenditionReport {
        let file = try OutputFile(output, maxBytes: order.imageBytes)
        try file.write(bytes.span)
        var report = RenditionReport(
            role: order.role, format: .gif, width: UInt32(size.width), height: UInt32(size.height),
            bytes: UInt64(bytes.count), frames: UInt32(clamping: frames), durationMilliseconds: UInt64(milliseconds))
        report.cut(to: sourceFrames, of: facts)
        return report
    }
}

extension RenditionReport {
    /// Marks the rendition as cut if it does not show all frames of its source.
    ///
    /// - Parameter kept: The number of frames of the source up to the last one that is shown.
    mutating func cut(to kept: Int, of facts: ImageFacts) {
        let all = max(facts.frames, facts.sourceFrames ?? 0)
        guard kept < all else { return }
        (keptFrames, sourceFrames) = (UInt32(clamping: kept), UInt32(clamping: all))
    }
}
