import Base
import CFFmpeg

/// The demuxers and stream decoders that a worker uses. None of FFmpeg's several hundred others reads untrusted data.
extension MediaFormat {
    /// The name of FFmpeg's demuxer. FFmpeg has a demuxer for PNG and HEIF only for their animations. `nil` for images
    /// without a container, or with one that Swift code reads, and for formats that are not decoded.
    var demuxer: StaticString? {
        switch container {
        case .mp4, .heic: "mov"
        case .matroska: "matroska"
        case .avi: "avi"
        case .mpegPS: "mpeg"
        case .mpegTS: "mpegts"
        case .mp3: "mp3"
        case .aac: "aac"
        case .wav: "wav"
        case .aiff: "aiff"
        case .ogg: "ogg"
        case .flac: "flac"
        case .amr: "amr"
        case .caf: "caf"
        case .au: "au"
        case .w64: "w64"
        case .asf: "asf"
        case .flv: "flv"
        case .gif: "gif"
        case .png: "apng"
        default: nil
        }
    }

    /// The options of the demuxer. The edit list of an AVIF sequence is ignored, as libavif does for the browsers. With
    /// it, FFmpeg would drop or repeat frames.
    var demuxerOptions: [(String, String)] { container == .heic ? [("ignore_editlist", "1")] : [] }

    /// Whether the first packets are read to describe the streams. The header lacks the streams or their frames' order.
    var hasStreamsInPackets: Bool {
        switch container.kind {
        case .video: container != .mp4
        case .sound: true
        case .image, nil: false
        }
    }
}

extension MediaFormat {
    /// The name of FFmpeg's muxer; `nil` for formats other than those of renditions with sound or video.
    var muxer: StaticString? {
        switch self {
        case .mp4: "mp4"
        // FFmpeg's muxer `ipod` writes the brand "M4A ".
        case .m4a: "ipod"
        case .mp3: "mp3"
        case .wav: "wav"
        case .aiff: "aiff"
        default: nil
        }
    }

    /// The options of the muxer. An MP4 with its index first plays before it is downloaded. An MP3 gets no tag.
    var muxerOptions: [(String, String)] {
        switch self {
        case .mp4, .m4a: [("movflags", "+faststart")]
        case .mp3: [("id3v2_version", "0"), ("write_id3v1", "0")]
        default: []
        }
    }
}

/// The decoders that a worker may open, by FFmpeg's names.
enum AllowedDecoders {
    static let videos = [
        "h264", "hevc", "vp8", "vp9", "libdav1d", "mpeg4", "mpeg1video", "mpeg2video", "h263", "flv", "mjpeg", "png",
        "gif", "apng",
    ]
    static let sounds = [
        "aac", "mp3float", "mp2", "opus", "vorbis", "flac", "alac", "amrnb", "amrwb", "wmav1", "wmav2", "wmapro",
        "gsm_ms", "adpcm_ms", "adpcm_ima_wav", "adpcm_ima_qt", "pcm_u8", "pcm_s8", "pcm_s16le", "pcm_s16be",
        "pcm_s24le", "pcm_s24be", "pcm_s32le", "pcm_s32be", "pcm_f32le", "pcm_f32be", "pcm_mulaw", "pcm_alaw",
    ]

    static let all = videos + sounds
    /// The names in the form that `AVFormatContext.codec_whitelist` takes.
    static let list = all.joined(separator: ",")
}
