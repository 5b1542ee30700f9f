import Base
import CFFmpeg
import MediaHeaders
import TranscodeProtocol

/// An image in one of the few layouts from which renditions are encoded: 8 bits, planar, full range.
///
/// Photographs stay in luma and chroma (4:2:0). Graphics are stored in red, green and blue planes that are multiplied
/// by their alpha. Scaling therefore does not mix in the hidden colors of transparent pixels.
struct ScaledImage: ~Copyable {
    /// The image in `yuvj420p`, `gray8`, `gbrp`, or premultiplied `gbrap`.
    let frame: Frame

    var size: PixelSize { frame.size }

    /// Whether no pixel is transparent. All pixels are checked.
    var isOpaque: Bool { frame.format != AV_PIX_FMT_GBRAP || AlphaPlanes.isOpaque(frame) }

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

/// The rotation and mirroring of 8-bit planar images by whole pixels, separately for each plane.
enum PlaneRotation {
    /// Returns a new upright image without side data.
    ///
    /// With halved chroma and an odd side, chroma moves by at most half a pixel.
    static func turn(_ source: borrowing Frame, _ orientation: ImageOrientation) throws(TranscodeFailure) -> Frame {
        let size = source.size.turned(orientation)
        let target = try Frame.allocate(width: size.width, height: size.height, format: source.format)
        for plane in 0..<4 {
            let from = source.pixelFormat.planeSize(plane, width: source.width, height: source.height)
            let sourceStride = source.stride(plane)
            let targetStride = target.stride(plane)
            source.withPlane(plane) { bytes in
                target.withMutablePlane(plane) { turned in
                    turn(
                        bytes, width: from.rowBytes, height: from.rows, stride: sourceStride, orientation: orientation,
                        into: &turned, stride: targetStride)
                }
            }
        }
        return target
    }

    /// Rotates and mirrors one plane with one byte per sample. Rows are `stride` bytes apart.
    static func turn(
        _ source: Span<UInt8>, width: Int, height: Int, stride: Int, orientation: ImageOrientation,
        into target: inout MutableSpan<UInt8>, stride targetStride: Int
    ) {
        // `start` is the position of the source's first sample in the target. The steps are the distances in the target
        // for one step right or down in the source.
        let size = PixelSize(width, height).turned(orientation)
        let (across, down) = (orientation.mirrorsAcross, orientation.mirrorsDown)
        let start = (across ? size.width - 1 : 0) + (down ? (size.height - 1) * targetStride : 0)
        let steps = (across: across ? -1 : 1, down: down ? -targetStride : targetStride)
        let (stepRight, stepDown) = orientation.swapsSides ? (steps.down, steps.across) : (steps.across, steps.down)
        guard width > 0, height > 0, source.count >= (height - 1) * stride + width else { return }
        for row in 0..<height {
            var offset = start + row * stepDown
            for column in 0..<width {
                target[offset] = source[row * stride + column]
                offset += stepRight
            }
        }
    }
}
