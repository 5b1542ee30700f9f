import CFFmpeg
import MediaHeaders
import MediaTypes
import TranscodeProtocol

/// A converter of opaque animation frames to the size and pixel format of the video encoder.
struct AnimationScaling: ~Copyable {
    private let size: PixelSize
    private var direct: VideoScaling

    init(size: PixelSize) {
        self.size = size
        direct = VideoScaling(size: size, orientation: .upright)
    }

    /// Returns the scaled frame, or `nil` if the frame has transparent pixels.
    mutating func scale(_ frame: borrowing Frame) throws(TranscodeFailure) -> Frame? {
        // Frames of GIF and WebP have four bytes per pixel and need one step, a third of the time of the steps below.
        if let isOpaque = frame.packedAlphaIsFull, !frame.hasColorProfile {
            return isOpaque ? try direct.scale(frame) : nil
        }
        let image = try ColorConversion.sRGB(ImageScaling.scale(frame, to: size))
        guard image.frame.format != AV_PIX_FMT_GBRAP else { return nil }
        let target = try Frame.allocate(width: size.width, height: size.height, format: AV_PIX_FMT_YUV420P)
        let converter = try Scaler.make(
            from: image.frame.shape,
            to: .init(width: size.width, height: size.height, format: AV_PIX_FMT_YUV420P, isFullRange: false),
            quality: .still)
        try converter.scale(image.frame, into: target)
        return target
    }
}

extension Frame {
    /// Whether every pixel of a packed format with alpha is opaque; `nil` for other formats.
    fileprivate var packedAlphaIsFull: Bool? {
        guard format == AV_PIX_FMT_RGBA || format == AV_PIX_FMT_BGRA else { return nil }
        let (width, height, stride) = (width, height, stride(0))
        return withPlane(0) { bytes in
            for row in 0..<height {
                var alpha: UInt8 = 255
                for column in 0..<width { alpha &= bytes[row * stride + column * 4 + 3] }
                if alpha != 255 { return false }
            }
            return true
        }
    }
}
