import Base
import MediaHeaders
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
        var video: AnimationVideo.Made?
        if order.takesVideos {
            video = try AnimationVideo.write(
                source, facts: facts, order: order, output: output, limits: limits, pace: &pace, clock: &clock)
        }
        // The GIF of a photographic animation is never smaller than its video.
        if let video, !video.isDrawing { return video.report }
        let side = facts.size.fitting(longestSide: Int(order.imageSide)).longestSide
        let expected = try expectedBytes(source, facts: facts, side: side, pace: &pace, clock: &clock)
        guard let video else {
            let search = AnimationCapSearch(
                maxBytes: order.imageBytes, expected: expected, side: side, frames: facts.delays.count)
            return try AnimationGIF.write(
                source, facts: facts, order: order, output: output, search: search, pace: &pace, clock: &clock)
        }
        let most = Int(clamping: min(order.imageBytes, video.report.bytes))
        guard expected <= most else { return video.report }
        let outcome = try AnimationGIF.bytes(
            source, facts: facts, attempt: .whole(side, facts.delays.count), maxBytes: most, pace: &pace,
            clock: &clock)
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
        _ source: borrowing MappedInput, facts: ImageFacts, side: Int, pace: inout AnimationPace,
        clock: inout StageClock
    ) throws(TranscodeFailure) -> Int {
        let outcome = try AnimationGIF.bytes(
            source, facts: facts, attempt: .whole(side, 2), maxBytes: .max, pace: &pace, clock: &clock)
        guard case .made(let gif) = outcome, let first = gif.frameEnds.first, let last = gif.frameEnds.last else {
            throw .internalFault("the sample encoding has no frames")
        }
        return first.addedOrMax((last - first).multipliedOrMax(by: max(0, facts.delays.count - 1)))
    }
}
