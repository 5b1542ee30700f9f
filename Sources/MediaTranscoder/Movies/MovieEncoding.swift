import CFFmpeg
import TranscodeProtocol

/// How a video is encoded: H.264 High, 4:2:0, as phones play it.
struct MovieEncoding {
    /// Of the encoded pictures: even, upright.
    var size: PixelSize
    var timeBase: AVRational
    /// Frames a second, 0/1 when they vary.
    var frameRate: AVRational
    /// Most bits a second, so that the file fits its bytes; `nil` when the quality alone decides.
    var mostBitRate: Int64?
    /// Whether frames may be coded out of their sequence, which saves bytes; times then have to be even.
    var holdsBackFrames = true
    var matrix: AVColorSpace
    var primaries: AVColorPrimaries
    var transfer: AVColorTransferCharacteristic

    /// x264's constant rate factor: 23 is its default, at which most people see no loss.
    private static let quality = "23"
    /// Below this, no moving picture is worth looking at.
    static let leastBitRate: Int64 = 32_000

    /// The bit rate that fills the bytes in the time, less a twelfth for index and peaks.
    ///
    /// - Throws: `tooLarge` when nothing worth looking at fits.
    static func bitRate(
        bytes: UInt64, milliseconds: UInt64?, audio: Int64
    ) throws(TranscodeFailure) -> Int64? {
        guard let milliseconds, milliseconds > 0, bytes < 1 << 40 else { return nil }
        let rate = Int64(bytes) * 8 * 11 / 12 * 1_000 / Int64(clamping: milliseconds) - audio
        guard rate >= leastBitRate else {
            throw TranscodeFailure(.tooLarge, "\(milliseconds) ms of video do not fit \(bytes) bytes")
        }
        return min(rate, 1 << 30)
    }

    func open() throws(TranscodeFailure) -> Encoder {
        try unsafe Encoder.open(
            "libx264", width: size.width, height: size.height, format: AV_PIX_FMT_YUV420P,
            options: [("preset", "veryfast"), ("crf", Self.quality), ("profile", "high")]
        ) { context in
            unsafe context.pointee.time_base = timeBase
            unsafe context.pointee.framerate = frameRate
            unsafe context.pointee.color_range = AVCOL_RANGE_MPEG
            unsafe context.pointee.colorspace = matrix
            unsafe context.pointee.color_primaries = primaries
            unsafe context.pointee.color_trc = transfer
            // MP4 wants the parameter sets in its header.
            unsafe context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
            if !holdsBackFrames { unsafe context.pointee.max_b_frames = 0 }
            if let mostBitRate {
                unsafe context.pointee.rc_max_rate = mostBitRate
                unsafe context.pointee.rc_buffer_size = Int32(clamping: mostBitRate)
            }
        }
    }
}
