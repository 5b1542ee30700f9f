import CFFmpeg
import MediaHeaders
import MediaTypes
import TranscodeProtocol

/// The rotation and mirroring of 8-bit planar images by whole pixels, separately for each plane.
enum PlaneRotation {
    /// Returns a new upright image without side data.
    ///
    /// With halved chroma and an odd side, chroma moves by at most half a pixel.
    static func turn(
        _ source: borrowing Frame, _ orientation: ImageOrientation
    ) throws(TranscodeFailure) -> Frame {
        let size = PixelSize(source.width, source.height).turned(orientation)
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
        let right = width - 1
        let down = height - 1
        let (start, stepRight, stepDown) =
            switch orientation {
            case .upright: (0, 1, targetStride)
            case .mirrored: (right, -1, targetStride)
            case .turnedHalf: (down * targetStride + right, -1, -targetStride)
            case .flipped: (down * targetStride, 1, -targetStride)
            case .transposed: (0, targetStride, 1)
            case .turnedRight: (down, targetStride, -1)
            case .transversed: (right * targetStride + down, -targetStride, -1)
            case .turnedLeft: (right * targetStride, -targetStride, 1)
            }
        guard width > 0, height > 0, source.count >= down * stride + width else { return }
        for row in 0..<height {
            var offset = start + row * stepDown
            for column in 0..<width {
                target[offset] = source[row * stride + column]
                offset += stepRight
            }
        }
    }
}
