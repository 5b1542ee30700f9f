import Base
import CFFmpeg
import MediaHeaders
import TranscodeProtocol

extension ImageInspection {
    static func judge(_ header: WebPHeader, limits: DecodeLimits) throws(TranscodeFailure) -> ImageFacts {
        guard header.isComplete else { throw .corrupt("WebP: cut") }
        try check(header.decodedBytes, limits, "WebP", header.width, header.height)
        var facts = ImageFacts(
            format: .webp, codec: AV_CODEC_ID_WEBP, size: PixelSize(header.width, header.height),
            orientation: header.orientation, frames: header.frameCount, memory: DecodeMemory(header))
        guard header.isAnimated else { return facts }
        facts.orientation = .upright
        facts.kept = header.kept
        facts.colorProfile = header.profile.map { [$0] } ?? []
        facts.plays = header.plays
        facts = animated(facts, header.times, memory: facts.memory, limits: limits)
        // libwebp also composes an animation of one frame.
        guard !facts.delays.isEmpty else { throw tooManyPixels("WebP", header.width, header.height) }
        return facts
    }

    static func judge(_ header: HEIFHeader, limits: DecodeLimits) throws(TranscodeFailure) -> ImageFacts {
        guard header.isComplete else { throw .corrupt("HEIF: cut") }
        guard UInt64(header.decodedBytes) <= limits.decodedBytes else {
            throw .tooManyPixels("HEIF: \(header.codedSize)")
        }
        let framing = header.image.framing
        let isAV1 = header.image.codec == .av1
        let facts = ImageFacts(
            format: isAV1 ? .avif : .heic, codec: isAV1 ? AV_CODEC_ID_AV1 : AV_CODEC_ID_HEVC,
            size: PixelSize(framing.crop.width, framing.crop.height), orientation: framing.orientation, frames: 1,
            memory: DecodeMemory(header), heif: header)
        guard let sequence = header.sequence, header.isUnframedAV1, header.hasFramesOfItsSize else { return facts }
        var moving = animated(facts, sequence.times, memory: DecodeMemory(sequence), limits: limits)
        if moving.delays.isEmpty || moving.frames < 2 { return facts }
        moving.plays = sequence.plays
        if !header.hasMetadata, !sequence.hasMetadata, moving.sourceFrames == nil { moving.kept = header.whole }
        return moving
    }

    /// Adds the frames of an animation, or its first ones if all exceed the limits. A shortened one is not copied.
    ///
    /// - Parameter memory: The memory for composing its frames and encoding them.
    static func animated(
        _ still: ImageFacts, _ times: AnimationTimes, memory: DecodeMemory, limits: DecodeLimits
    ) -> ImageFacts {
        var facts = still
        let delays = times.kept(
            maxFrames: Int(limits.frames), maxMilliseconds: Int(clamping: limits.durationMilliseconds))
        facts.frames = delays.count
        if facts.isAnimated { facts.durationMilliseconds = delays.reduce(0, +) }
        if delays.count < times.count {
            facts.sourceFrames = times.count
            facts.kept = nil
        }
        if memory.bytes() <= DecodeMemory.maxBytes, facts.orientation == .upright { facts.delays = delays }
        return facts
    }
}
