import CFFmpeg
import MediaHeaders
import MediaTypes

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
