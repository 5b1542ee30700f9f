import Base
import CFFmpeg
import Glibc
import LinuxIO
import TranscodeProtocol

/// The preparation of a worker before its first job. It builds tables, binds libraries, and makes system calls that the
/// sandbox forbids later, for the seed of Swift's hashing and the time zone.
enum WarmUp {
    /// Runs all steps. An error is ignored, because the job that needs the step reports it again.
    static func run() {
        _ = unsafe setenv("TZ", "UTC0", 1)
        tzset()
        forgetEncodings()
        _ = Set([1])
        for codec in [
            AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_AV1, AV_CODEC_ID_MJPEG, AV_CODEC_ID_BMP, AV_CODEC_ID_WEBP,
            AV_CODEC_ID_GIF,
        ] {
            _ = try? Decoder.open(codec, maxPixels: 1 << 20)
        }
        try? warmTIFF()
        try? warmStill()
        try? warmVideo()
        // The memory that the steps needed is released, so that an idle worker does not hold it.
        Allocator.trim()
    }

    /// Keeps the C library from loading a module for each text encoding. An MPEG transport stream names the encoding of
    /// its channel's name, which the daemon does not use.
    private static func forgetEncodings() {
        _ = unsafe setenv("GCONV_PATH", "/dev/null", 1)
        _ = unsafe iconv_open("UTF-8", "ISO6937")
    }

    /// Opens a small TIFF. libtiff sorts its table of tags for each file. The first sort makes the C library ask the
    /// kernel for the size of the memory.
    private static func warmTIFF() throws(TranscodeFailure) {
        // Width, height, bits, photometric interpretation, strip offset, samples, rows in a strip and strip bytes.
        let tags: [(UInt8, UInt8)] = [(0, 1), (1, 1), (2, 8), (6, 1), (17, 8), (21, 1), (22, 1), (23, 1)]
        let entries: [UInt8] = tags.flatMap { [$0.0, 1, 3, 0, 1, 0, 0, 0, $0.1, 0, 0, 0] as [UInt8] }
        let bytes: [UInt8] = Array("II*".utf8) + [0, 8, 0, 0, 0, UInt8(tags.count), 0] + entries + [0, 0, 0, 0]
        _ = try TIFFLayout(TIFFFile.open(bytes.span))
    }

    private static func warmStill() throws(TranscodeFailure) {
        let size = PixelSize(32, 32)
        let frame = try Frame.allocate(width: 64, height: 64, format: AV_PIX_FMT_YUVJ420P)
        frame.fill(with: 128)
        let photo = try ImageScaling.scale(frame, to: size)
        _ = try PreviewMaking.preview(of: photo)
        let jpeg = try ImageEncoding.jpeg(photo, quality: 85)
        let decoded = try jpeg.withBytes { bytes throws(TranscodeFailure) in
            try TurboDecoder.make().image(bytes, halvings: 0)
        }
        let gray = try Frame.allocate(width: decoded.width, height: decoded.height, format: AV_PIX_FMT_GRAY8)
        gray.fill(with: 128)
        let png = try ImageEncoding.png(ScaledImage(frame: gray))
        _ = try Decoder.open(AV_CODEC_ID_PNG, maxPixels: 1 << 20).image(of: png)
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
