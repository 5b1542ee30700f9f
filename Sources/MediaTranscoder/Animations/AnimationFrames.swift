import MediaTypes
import TranscodeProtocol

/// A decoder of the frames of an animation, in their order. Each frame is composed: it holds the whole screen.
protocol AnimationFrames: AnyObject {
    /// Returns the next frame, or `nil` after the last one. The frame may share its pixels with the decoder, so the
    /// caller releases it before the next call.
    func next() throws(TranscodeFailure) -> Frame?
}

extension ImageFacts {
    /// Opens the frames of an animation, one for each element of `delays`. The source has to outlive the frames.
    func frames(
        of source: borrowing MappedInput, limits: DecodeLimits
    ) throws(TranscodeFailure) -> any AnimationFrames {
        switch format {
        case .webp: try WebPFrames(source, facts: self)
        case .heic, .avif: try HEIFFrames(source, facts: self)
        default: try CodedFrames(source, facts: self)
        }
    }

    /// Decodes one frame of an animation. The first frame has the number 0.
    ///
    /// - Throws: `corrupt` if the frame is missing.
    func frame(
        _ number: Int, of source: borrowing MappedInput, limits: DecodeLimits
    ) throws(TranscodeFailure) -> Frame {
        let frames = try frames(of: source, limits: limits)
        for _ in 0..<number { _ = try frames.next() }
        guard let frame = try frames.next() else { throw TranscodeFailure(.corrupt, "a frame is missing") }
        return frame
    }
}
