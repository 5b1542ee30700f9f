import MediaHeaders
import MediaTypes
import TranscodeProtocol

/// The transcoding of an animation that is not copied. The result is a GIF, or a video if that is smaller.
enum AnimationTranscode {
    /// Writes a GIF or a video, whichever is smaller.
    ///
    /// - Throws: `unsupported` for frames that no decoder composes, and `tooLarge` if neither a GIF nor a video fits.
    static func write(
        _ source: borrowing MappedInput, facts: ImageFacts, order: RenditionSpec, output: Int32,
        limits: DecodeLimits, pace: inout AnimationPace, clock: inout StageClock
    ) throws(TranscodeFailure) -> RenditionReport {
        guard order.takesVideos,
            let video = try AnimationVideo.write(
                source, facts: facts, order: order, output: output, limits: limits, pace: &pace, clock: &clock)
        else {
            let size = facts.size.fitting(longestSide: Int(order.imageSide))
            let expected = try expectedBytes(
                source, facts: facts, size: size, limits: limits, pace: &pace, clock: &clock)
            return try AnimationGIF.write(
                source, facts: facts, order: order, output: output, limits: limits,
                search: AnimationCapSearch(
                    mostBytes: order.imageBytes, expected: expected, side: size.longestSide,
                    frames: facts.delays.count),
                pace: &pace, clock: &clock)
        }
        // The GIF of a photographic animation is never smaller than its video.
        guard video.isDrawing else { return video.report }
        let size = facts.size.fitting(longestSide: Int(order.imageSide))
        let most = Int(clamping: min(order.imageBytes, video.report.bytes))
        let expected = try expectedBytes(source, facts: facts, size: size, limits: limits, pace: &pace, clock: &clock)
        guard expected <= most else {
            return video.report
        }
        let outcome = try AnimationGIF.bytes(
            source, facts: facts, limits: limits, attempt: .whole(size.longestSide, facts.delays.count),
            mostBytes: most, pace: &pace, clock: &clock)
        guard case .made(let gif) = outcome else { return video.report }
        return try gif.write(to: output, order: order, facts: facts)
    }

    /// Returns whether an animation whose transcoding failed is replaced by a still image.
    static func leavesStill(_ failure: TranscodeFailure, from format: MediaFormat) -> Bool {
        switch failure.code {
        // No decoder composes the frames, no animation fits the caps or the time, or the worker's memory ran out.
        case .unsupported, .tooLarge, .tooManyPixels: true
        // The primary image of an AVIF file does not depend on its sequence.
        case .corrupt: format.container == .heic
        default: false
        }
    }

    /// Returns the size that a GIF would have if each frame needed as many bytes as the second one.
    private static func expectedBytes(
        _ source: borrowing MappedInput, facts: ImageFacts, size: PixelSize, limits: DecodeLimits,
        pace: inout AnimationPace, clock: inout StageClock
    ) throws(TranscodeFailure) -> Int {
        let outcome = try AnimationGIF.bytes(
            source, facts: facts, limits: limits, attempt: .whole(size.longestSide, 2), mostBytes: .max,
            pace: &pace, clock: &clock)
        guard case .made(let gif) = outcome, let first = gif.frameEnds.first, let last = gif.frameEnds.last else {
            throw TranscodeFailure(.internalFault, "the sample encoding has no frames")
        }
        return first.addedOrMax((last - first).multipliedOrMax(by: max(0, facts.delays.count - 1)))
    }
}
