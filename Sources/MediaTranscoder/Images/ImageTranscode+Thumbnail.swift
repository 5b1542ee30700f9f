import MediaTypes
import TranscodeProtocol

extension ImageTranscode {
    /// Makes the thumbnail from a later frame of an animation.
    ///
    /// - Returns: `nil` for a damaged frame. The first frame is shown instead.
    static func laterThumbnail(
        _ order: RenditionSpec, part: ClippedStill?, facts: ImageFacts, source: borrowing MappedInput, output: Int32,
        limits: DecodeLimits, clock: inout StageClock
    ) throws(TranscodeFailure) -> RenditionReport? {
        do throws(TranscodeFailure) {
            let frame = try clock.measure(.decode) { () throws(TranscodeFailure) in
                try facts.frame(order.frame(of: facts), of: source, limits: limits)
            }
            let image = try clock.measure(.scale) { () throws(TranscodeFailure) in
                if let part { return try part.image(of: frame, facts.orientation) }
                let size = facts.size.fitting(longestSide: Int(order.imageSide))
                return try ColorConversion.sRGB(ImageScaling.scale(frame, to: size))
            }
            return try clock.measure(.encode) { () throws(TranscodeFailure) in
                try StillOutput.write(image, from: facts.format, order: order, output: output)
            }
        } catch {
            guard error.code == .corrupt || error.code == .unsupported else { throw error }
            return nil
        }
    }
}

extension RenditionSpec {
    /// Returns the index of the frame that a thumbnail shows. For an animation, `thumbnailTime` is a number of frames.
    func frame(of facts: ImageFacts) -> Int {
        guard role == .thumbnail, let time = stillAtMilliseconds else { return 0 }
        return max(0, min(Int(time) / 1_000, facts.delays.count - 1))
    }
}
