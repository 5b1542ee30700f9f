import CFFmpeg
import MediaHeaders
import TranscodeProtocol

/// A picture in one of the few layouts that renditions are encoded from: 8 bits, planar, full range.
///
/// Photos stay in luma and colour differences (4:2:0). Graphics stay in red, green and blue planes, multiplied with
/// their alpha, so that scaling mixes light and not the hidden colours of transparent pixels.
struct ScaledImage: ~Copyable {
    /// `yuvj420p`, `gray8`, `gbrp`, or `gbrap` premultiplied.
    let frame: Frame

    var size: PixelSize { PixelSize(frame.width, frame.height) }

    /// Whether no pixel is transparent, by looking at them all.
    var isOpaque: Bool {
        guard frame.format == AV_PIX_FMT_GBRAP else { return true }
        return AlphaPlanes.isOpaque(frame)
    }

    /// A smaller one of the same layout.
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

    /// The same picture turned to stand upright.
    consuming func turned(_ orientation: ImageOrientation) throws(TranscodeFailure) -> ScaledImage {
        guard orientation != .upright else { return self }
        let turned = try PlaneRotation.turn(frame, orientation)
        try turned.copyColorProfile(from: frame)
        return ScaledImage(frame: turned)
    }
}
