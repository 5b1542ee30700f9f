import CFFmpeg
import TranscodeProtocol

/// The demuxers and the decoders of streams that a worker uses. FFmpeg has several hundred more, and none of them reads
/// what a stranger sent.
extension SourceFormat {
    /// The name of FFmpeg's demuxer; `nil`: pictures that come without a container, or whose container is read in Swift.
    var demuxer: StaticString? {
        switch self {
        case .mp4: "mov"
        case .matroska: "matroska"
        case .avi: "avi"
        case .mpegPS: "mpeg"
        case .mpegTS: "mpegts"
        case .gif: "gif"
        case .jpeg, .png, .webp, .heif, .bmp, .tiff, .ico: nil
        }
    }

    /// Whether the header does not describe the streams, or not the sequence of their frames, so that the first packets are
    /// read for it.
    var hasStreamsInPackets: Bool {
        switch self {
        case .matroska, .avi, .mpegPS, .mpegTS: true
        default: false
        }
    }
}

/// By FFmpeg's names.
enum AllowedDecoders {
    static let videos = [
        "h264", "hevc", "vp8", "vp9", "libdav1d", "mpeg4", "mpeg1video", "mpeg2video", "h263", "mjpeg", "gif",
    ]
    static let sounds = [
        "aac", "mp3float", "mp2", "opus", "vorbis", "flac", "alac", "amrnb", "pcm_u8", "pcm_s8",
        "pcm_s16le", "pcm_s16be", "pcm_s24le", "pcm_s24be", "pcm_s32le", "pcm_s32be", "pcm_f32le", "pcm_f32be",
        "pcm_mulaw", "pcm_alaw",
    ]

    static let all = videos + sounds
    /// As `AVFormatContext.codec_whitelist` takes them.
    static let list = all.joined(separator: ",")
}
