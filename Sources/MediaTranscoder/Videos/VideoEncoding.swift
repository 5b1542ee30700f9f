import CFFmpeg
import TranscodeProtocol

/// How a video is encoded: H.264 High, 4:2:0, as phones play it.
struct VideoEncoding {
    /// Size of the encoded pictures: even, upright.
    var size: PixelSize
    var timeBase: AVRational
    /// Frames a second, 0/1 when they vary.
    var frameRate: AVRational
    /// `nil` when the quality alone decides.
    var limit: RateLimit?
    /// Whether frames may be coded out of their sequence, which saves bytes; times then have to be even.
    var holdsBackFrames = true
    var preset = VideoPreset.veryfast
    var colors: VideoColors

    /// x264's constant rate factor: 23 is its default, at which most people see no loss.
    private static let quality = "23"

    func open() throws(TranscodeFailure) -> Encoder {
        try unsafe Encoder.open(
            "libx264", width: size.width, height: size.height, format: AV_PIX_FMT_YUV420P,
            options: preset.options + [("crf", Self.quality), ("profile", "high")]
        ) { context in
            unsafe context.pointee.time_base = timeBase
            unsafe context.pointee.framerate = frameRate
            unsafe context.pointee.color_range = AVCOL_RANGE_MPEG
            unsafe context.pointee.colorspace = colors.matrix
            unsafe context.pointee.color_primaries = colors.primaries
            unsafe context.pointee.color_trc = colors.transfer
            // MP4 wants the parameter sets in its header.
            unsafe context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
            if !holdsBackFrames { unsafe context.pointee.max_b_frames = 0 }
            if let limit {
                unsafe context.pointee.rc_max_rate = limit.bitsPerSecond
                unsafe context.pointee.rc_buffer_size = limit.bufferBits
            }
        }
    }
}
