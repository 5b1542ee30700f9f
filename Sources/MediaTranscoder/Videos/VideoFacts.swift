import CFFmpeg
import MediaHeaders
import TranscodeProtocol

/// The facts in a container's header about its video. They are within the job's limits.
struct VideoFacts {
    let format: SourceFormat
    var video: Int
    /// The sound that goes along, as `FilmSound` chooses it; `nil`: none.
    var audio: Int?
    var isSoundCopied = true
    /// The source, as results have it.
    var source: SourceReport
    /// As coded, before pixel shape and orientation: the header's word, until a frame is decoded.
    var size: PixelSize
    /// Width of a pixel through its height.
    var sampleAspect: Double
    var orientation: ImageOrientation
    var durationMilliseconds: UInt64?
    /// The number of frames that are shown, as the header counts; 0 when it does not.
    var frames: Int
    /// The number of packets up to that of the last frame that is shown, as the header counts; 0 when it does not.
    var packets = 0
    /// Frames a second with which it is encoded.
    var frameRate: AVRational
    /// Seconds between two frames of the source, where they come at even times.
    var secondsOfFrame: Double
    /// Whether the rows of its key frames are of two times. A decoder tells it.
    var isInterlaced = false
    /// Whether the tones of its key frames are mapped. A decoder tells it.
    var hasHighDynamicRange = false
    /// The colours of its key frames. A decoder tells them.
    var colors: VideoColors?
    var codec: AVCodecID
    var byteCount: Int
    /// Whether a phone plays the video as it is coded.
    var isPlayable: Bool
    /// Bits a second of the sound, or 0.
    var audioBitRate: Int64
    /// Whether the file ends within a packet, as its container tells without an index.
    var endsEarly = false
    /// Whether a damaged film is shown up to its damage. The job tells it.
    var showsDamage = false

    /// In square pixels, as coded: the longer sampled direction is shrunk, nothing is stretched.
    var squareSize: PixelSize {
        sampleAspect >= 1
            ? PixelSize(size.width, Int((Double(size.height) / sampleAspect).rounded()))
            : PixelSize(Int((Double(size.width) * sampleAspect).rounded()), size.height)
    }

    /// The size of the picture that a person sees, in pixels.
    var uprightSize: PixelSize { squareSize.turned(orientation) }

    /// Whether the video is copied into a new container.
    ///
    /// - Parameter byteCount: of the source.
    func fits(_ order: RenditionSpec, byteCount: Int) -> Bool {
        isPlayable && !isInterlaced && (codec != AV_CODEC_ID_HEVC || order.copiesHEVC)
            && size.longestSide <= Int(order.copiedVideoSide) && UInt64(byteCount) <= order.videoBytes
    }

    /// - Returns: `nil` for a container that has a sound and no video.
    /// - Throws: `unsupported` without either, `tooManyPixels`, `tooLarge` for the duration.
    static func inspect(
        _ source: borrowing MappedInput, as format: SourceFormat, limits: DecodeLimits
    ) throws(TranscodeFailure) -> VideoFacts? {
        let demuxer = try Demuxer.open(source, as: format)
        let videos = (0..<demuxer.streamCount).filter { index in
            demuxer.stream(index).map { $0.isVideo && !$0.isCover } ?? false
        }
        // Without a stream that can be decoded, the failure names the codec of the first one.
        let video = videos.first { demuxer.stream($0)?.hasDecoder == true } ?? videos.first
        guard let video, let stream = demuxer.stream(video) else {
            let hasSound = (0..<demuxer.streamCount).contains { demuxer.stream($0)?.hasSound == true }
            guard !hasSound else { return nil }
            throw TranscodeFailure(.unsupported, "there is no video in the file, and no sound that can be decoded")
        }
        let sound = try FilmSound.choose(demuxer, of: source, as: format)
        let audio = sound.stream.flatMap { demuxer.stream($0) }
        let isSoundCopied = audio.map { SoundTrack.isCopied($0) } ?? true
        let duration = TimeLine(of: format).duration(stream.durationMilliseconds ?? demuxer.durationMilliseconds)
        let (packets, frames) = stream.indexedCounts(in: format)
        let mean = duration.flatMap { $0 > 0 && frames > 0 ? Double(frames) * 1_000 / Double($0) : nil }
        let named = stream.namedFrameRate(in: format)
        let rate = FrameGrid.rate(named: named, isVariable: stream.hasVariableFrameRate(in: format), mean: mean)
        let facts = VideoFacts(
            format: format, video: video, audio: sound.stream, isSoundCopied: isSoundCopied,
            source: SourceReport(
                frames: frames > 0 ? UInt32(clamping: frames) : nil, durationMilliseconds: duration,
                streams: StreamReport(
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

    /// Pixels of a frame: those of H.264's highest level (ITU-T H.264, table A-1: 139,264 macroblocks at level 6.2), of
    /// which a worker holds a decoder's few frames; fewer where the limit of decoded bytes says so. Luma and colour
    /// differences of 4:2:0 take one byte and a half a pixel.
    static func mostPixels(_ limits: DecodeLimits) -> UInt64 { min(139_264 * 256, limits.decodedBytes * 2 / 3) }

    private func judge(_ limits: DecodeLimits) throws(TranscodeFailure) {
        guard UInt64(size.pixels) <= Self.mostPixels(limits) else {
            throw TranscodeFailure(.tooManyPixels, "\(size.width) x \(size.height) pixels")
        }
        if let durationMilliseconds, durationMilliseconds > limits.durationMilliseconds {
            throw TranscodeFailure(.tooLarge, "the video lasts \(durationMilliseconds) ms")
        }
    }
}
