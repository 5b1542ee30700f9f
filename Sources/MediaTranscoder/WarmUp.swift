import CFFmpeg
import Glibc
import LinuxIO
import TranscodeProtocol

/// Does once what later jobs would do for the first time: tables are built, libraries bound, and system calls made
/// that a sandbox forbids (the seed of Swift's hashing, the time zone's file).
enum WarmUp {
    /// A step that fails here fails again, and is reported, in the job that needs it.
    static func run() {
        _ = unsafe setenv("TZ", "UTC0", 1)
        tzset()
        forgetEncodings()
        _ = Set([1])
        for codec in [
            AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_AV1, AV_CODEC_ID_MJPEG, AV_CODEC_ID_BMP, AV_CODEC_ID_TIFF,
            AV_CODEC_ID_WEBP, AV_CODEC_ID_GIF,
        ] {
            _ = try? Decoder.open(codec, mostPixels: 1 << 20)
        }
        try? warmStill()
        try? warmVideo()
        // An idle worker should not hold what the warming needed.
        Allocator.trim()
    }

    /// Keeps the C library from loading a program part for each encoding of text: an MPEG transport stream names the one of
    /// its channel's name, which nobody reads.
    private static func forgetEncodings() {
        _ = unsafe setenv("GCONV_PATH", "/dev/null", 1)
        _ = unsafe iconv_open("UTF-8", "ISO6937")
    }

    private static func warmStill() throws(TranscodeFailure) {
        let size = PixelSize(32, 32)
        let frame = try Frame.allocate(width: 64, height: 64, format: AV_PIX_FMT_YUVJ420P)
        for plane in 0..<3 {
            frame.withMutablePlane(plane) { bytes in
                for index in bytes.indices { bytes[index] = 128 }
            }
        }
        let photo = try ImageScaling.scale(frame, to: size)
        _ = try PreviewMaking.preview(of: photo)
        let jpeg = try ImageEncoding.jpeg(photo, quality: 85)
        let decoded = try jpeg.withBytes { bytes throws(TranscodeFailure) in
            try TurboDecoder.make().picture(bytes, halvings: 0)
        }
        let grey = try Frame.allocate(width: decoded.width, height: decoded.height, format: AV_PIX_FMT_GRAY8)
        grey.withMutablePlane(0) { bytes in
            for index in bytes.indices { bytes[index] = 128 }
        }
        let png = try ImageEncoding.png(ScaledImage(frame: grey))
        _ = try Decoder.open(AV_CODEC_ID_PNG, mostPixels: 1 << 20).picture(of: png)
    }

    private static func warmVideo() throws(TranscodeFailure) {
        _ = try VideoEncoding(
            size: PixelSize(64, 64), timeBase: AVRational(num: 1, den: 25), frameRate: AVRational(num: 25, den: 1),
            limit: nil,
            colors: VideoColors(
                matrix: AVCOL_SPC_UNSPECIFIED, primaries: AVCOL_PRI_UNSPECIFIED, transfer: AVCOL_TRC_UNSPECIFIED)
        ).open()
    }
}
