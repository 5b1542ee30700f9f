import CFFmpeg
import MediaTypes
import TranscodeProtocol

/// The encoding of a video as H.264 High with 4:2:0, which phones play.
struct VideoEncoding {
    /// The size of the encoded frames, which is even and upright.
    var size: PixelSize
    var timeBase: AVRational
    /// The frame rate, in frames per second; 0/1 if it varies.
    var frameRate: AVRational
    /// The limit of the bit rate; `nil` if only the quality decides.
    var limit: RateLimit?
    /// Whether frames may be coded in another order, which saves bytes. Such an order requires frames at even times.
    var holdsBackFrames = true
    var preset = VideoPreset.veryfast
    var colors: VideoColors

    /// x264's constant rate factor. 23 is its default, at which most viewers see no loss.
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
            // MP4 stores the parameter sets in its header.
            unsafe context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
            if !holdsBackFrames { unsafe context.pointee.max_b_frames = 0 }
            if let limit {
                unsafe context.pointee.rc_max_rate = limit.bitsPerSecond
                unsafe context.pointee.rc_buffer_size = limit.bufferBits
            }
        }
    }
}
