import Base
import CFFmpeg
import MediaHeaders
import TranscodeProtocol

/// The facts in a container's header about its video. The facts are within the job's limits.
struct VideoFacts {
    let format: MediaFormat
    var video: Int
    /// The index of the audio stream that `VideoSound` chooses; `nil` if it chooses no stream.
    var audio: Int?
    var isSoundCopied = true
    /// The description of the source in results.
    var source: SourceReport
    /// The size as coded, before pixel aspect ratio and orientation. It is the header's until a frame is decoded.
    var size: PixelSize
    /// The width of a pixel divided by its height.
    var sampleAspect: Double
    var orientation: ImageOrientation
    var durationMilliseconds: UInt64?
    /// The number of shown frames that the header states; 0 if it states none.
    var frames: Int
    /// The number of packets up to that of the last shown frame, from the header; 0 if the header does not count them.
    var packets = 0
    /// The frame rate of the encoded video, in frames per second.
    var frameRate: AVRational
    /// The time between two frames of the source, in seconds, if they come at even times.
    var secondsOfFrame: Double
    /// Whether the even and the odd rows of key frames show two different times. It is known after a frame is decoded.
    var isInterlaced = false
    /// Whether the video's key frames have high dynamic range and are tone-mapped, known after a frame is decoded.
    var hasHighDynamicRange = false
    /// The colors of the video's key frames; `nil` until a frame is decoded.
    var colors: VideoColors?
    var codec: AVCodecID
    var byteCount: Int
    /// Whether a phone plays the coded video.
    var isPlayable: Bool
    /// The bit rate of the sound, in bits per second; 0 if there is no sound or the rate is unknown.
    var audioBitRate: Int64
    /// Whether the file ends within a packet. It is set only if the demuxer does not report such an end.
    var endsEarly = false
    /// Whether a damaged video is shown up to its damage, as the job requests.
    var showsDamage = false

    /// The size in square pixels, as coded. The direction with more samples is shrunk, so that nothing is enlarged.
    var squareSize: PixelSize {
        sampleAspect >= 1
            ? PixelSize(size.width, Int((Double(size.height) / sampleAspect).rounded()))
            : PixelSize(Int((Double(size.width) * sampleAspect).rounded()), size.height)
    }

    /// The size of the image that a viewer sees, in pixels.
    var uprightSize: PixelSize { squareSize.turned(orientation) }

    /// Returns whether the video is copied to a new container.
    ///
    /// - Parameter byteCount: The size of the source, in bytes.
    func fits(_ order: RenditionSpec, byteCount: Int) -> Bool {
        isPlayable && !isInterlaced && (codec != AV_CODEC_ID_HEVC || order.copiesHEVC)
            && size.longestSide <= Int(order.copiedVideoSide) && UInt64(byteCount) <= order.videoBytes
    }

    /// Reads the facts about a video.
    ///
    /// - Returns: `nil` for a container with a sound and without a video.
    /// - Throws: `unsupported` for a file without a sound or a video. `tooManyPixels` or `tooLarge` above the limits.
    static func inspect(
        _ source: borrowing MappedInput, as format: MediaFormat, limits: DecodeLimits
    ) throws(TranscodeFailure) -> VideoFacts? {
        let demuxer = try Demuxer.open(source, as: format)
        let videos = demuxer.streams.filter { $0.isVideo && !$0.isCover }
        // If no stream can be decoded, the failure names the codec of the first one.
        guard let stream = videos.first(where: \.hasDecoder) ?? videos.first else {
            guard !demuxer.streams.contains(where: \.hasSound) else { return nil }
            throw .unsupported("there is no video in the file, and no sound that can be decoded")
        }
        let sound = try VideoSound.choose(demuxer, of: source, as: format)
        let audio = sound.stream.flatMap { demuxer.stream($0) }
        let isSoundCopied = audio.map { SoundTrack.isCopied($0) } ?? true
        let duration = TimeLine(of: format).duration(stream.durationMilliseconds ?? demuxer.durationMilliseconds)
        let (packets, frames) = stream.indexedCounts(in: format)
        let mean = duration.flatMap { $0 > 0 && frames > 0 ? Double(frames) * 1_000 / Double($0) : nil }
        let named = stream.namedFrameRate(in: format)
        let rate = FrameGrid.rate(named: named, isVariable: stream.hasVariableFrameRate(in: format), mean: mean)
        let facts = VideoFacts(
            format: format, video: stream.index, audio: sound.stream, isSoundCopied: isSoundCopied,
            source: SourceReport(
                frames: frames > 0 ? UInt32(clamping: frames) : nil, durationMilliseconds: duration,
                streams: StreamFacts(
                    video: stream, audio: sound.named.flatMap { demuxer.stream($0) }, frames: frames,
                    milliseconds: duration, byteCount: source.count),
                soundOmission: sound.omission),
            size: PixelSize(stream.width, stream.height),
            sampleAspect: stream.sampleAspect, orientation: stream.orientation, durationMilliseconds: duration,
            frames: frames, packets: packets, frameRate: rate,
            secondsOfFrame: named.num > 0 && named.den > 0 ? Double(named.den) / Double(named.num) : 1 / (mean ?? 30),
            codec: stream.codec, byteCount: source.count, isPlayable: PlayableVideo.isPlayable(stream, in: format),
            audioBitRate: audio.map { isSoundCopied ? $0.bitRate : SoundFormat(encoding: $0).bitRate } ?? 0,
            endsEarly: source.endsEarly(as: format))
        try facts.judge(limits)
        return facts
    }

    /// Returns the largest number of pixels in a frame. The number is that of H.264's highest level (ITU-T H.264, table
    /// 139,264 macroblocks at level 6.2). A worker has memory for the few frames of that size that a decoder
    /// holds. The limit of decoded bytes may reduce the number, with one and a half bytes per pixel in 4:2:0.
    static func maxPixels(_ limits: DecodeLimits) -> UInt64 { min(139_264 * 256, limits.decodedBytes * 2 / 3) }

    private func judge(_ limits: DecodeLimits) throws(TranscodeFailure) {
        guard UInt64(size.pixels) <= Self.maxPixels(limits) else {
            throw .tooManyPixels("\(size.width) x \(size.height) pixels")
        }
        if let durationMilliseconds, durationMilliseconds > limits.durationMilliseconds {
            throw .tooLarge("the video lasts \(durationMilliseconds) ms")
        }
    }
}

/// An estimate of the times for a video, in microseconds of the machine of `TranscodePlan.cost`.
///
/// The numbers are for videos of 1080p that FFmpeg and x264 encode on one core of an AMD EPYC.
extension VideoFacts {
    /// The time to open the demuxer, the decoder, the encoder and the muxer.
    private static let start = 4_000.0
    /// The assumed bits in a coded pixel, for a container that states neither frames nor duration.
    private static let assumedBits = 0.1

    /// Returns the time for a plan. The source's frames are decoded and scaled, the result's encoded.
    func cost(of plan: VideoPlan, preset: VideoPreset) -> Double {
        let made = Double(plan.size.pixels)
        let perFrame = Double(size.pixels) * (Self.decoding(codec) + 0.0008) + made * 0.0006
        let turning = orientation == .upright ? 0 : made * 0.002
        let mapping = hasHighDynamicRange ? made * 0.025 : 0
        let rate = Double(plan.frameRate.num) / Double(plan.frameRate.den)
        let encoded = durationMilliseconds.map { Double($0) / 1_000 * rate } ?? frameCount
        let sound = plan.soundBitRate == nil ? soundCost : Double(durationMilliseconds ?? 0) * Self.sound
        return Self.start + frameCount * (perFrame + turning + mapping) + Double(byteCount) * 0.02
            + encoded * made * preset.pixelCost + sound
    }

    /// The time to encode the sound of a video that is copied; 0 if the sound is copied too.
    var soundCost: Double { isSoundCopied ? 0 : Double(durationMilliseconds ?? 0) * Self.sound }

    /// The time for one key frame, which is decoded and scaled. No other rendition takes less time.
    var stillCost: Double { Double(size.pixels) * 0.030 }

    /// The time to decode and encode a millisecond of sound.
    private static let sound = 15.0

    private var frameCount: Double {
        if frames > 0 { return Double(frames) }
        if let durationMilliseconds { return Double(durationMilliseconds) / 1_000 / secondsOfFrame }
        return Double(byteCount) * 8 / (Double(size.pixels) * Self.assumedBits)
    }

    /// Returns the time to decode a pixel.
    private static func decoding(_ codec: AVCodecID) -> Double {
        switch codec {
        case AV_CODEC_ID_MPEG1VIDEO, AV_CODEC_ID_MPEG2VIDEO, AV_CODEC_ID_MPEG4, AV_CODEC_ID_H263: 0.0007
        case AV_CODEC_ID_VP8: 0.0010
        case AV_CODEC_ID_AV1: 0.0030
        default: 0.0018
        }
    }
}
