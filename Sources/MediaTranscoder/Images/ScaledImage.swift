import CFFmpeg
import MediaHeaders
import MediaTypes
import TranscodeProtocol

/// An image in one of the few layouts from which renditions are encoded: 8 bits, planar, full range.
///
/// Photographs stay in luma and chroma (4:2:0). Graphics are stored in red, green and blue planes that are multiplied
/// by their alpha. Scaling therefore does not mix in the hidden colors of transparent pixels.
struct ScaledImage: ~Copyable {
    /// The image in `yuvj420p`, `gray8`, `gbrp`, or premultiplied `gbrap`.
    let frame: Frame

    var size: PixelSize { PixelSize(frame.width, frame.height) }

    /// Whether no pixel is transparent. All pixels are checked.
    var isOpaque: Bool {
        guard frame.format == AV_PIX_FMT_GBRAP else { return true }
        return AlphaPlanes.isOpaque(frame)
    }

    /// Returns a smaller image with the same layout.
    func reduced(to size: PixelSize) throws(TranscodeFailure) -> ScaledImage {
        let target = try Frame.allocate(width: size.width, height: size.height, format: frame.format)
        let format = ImageScaling.planewise(frame.format)
        let scaler = try Scaler.make(
            from: .init(width: frame.width, height: frame.height, format: format),
            to: .init(width: size.width, height: size.height, format: format), quality: .still)
        try scaler.scale(frame, into: target)
        try target.copyColorProfile(from: frame)
        return ScaledImage(frame: target)
    }

    /// Returns the same image, rotated and mirrored to be upright.
    consuming func turned(_ orientation: ImageOrientation) throws(TranscodeFailure) -> ScaledImage {
        guard orientation != .upright else { return self }
        let turned = try PlaneRotation.turn(frame, orientation)
        try turned.copyColorProfile(from: frame)
        return ScaledImage(frame: turned)
    }
}
