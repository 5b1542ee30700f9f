import CFFmpeg
import TranscodeProtocol

/// The conversion of a scaled image from the colors of its ICC profile to sRGB. The result needs no profile. This
/// matters because a client that shows notifications may not read profiles.
enum ColorConversion {
    /// Converts an image to sRGB.
    ///
    /// - Returns: An image with the same layout and without a profile.
    static func sRGB(_ image: consuming ScaledImage) throws(TranscodeFailure) -> ScaledImage {
        guard let transform = transform(of: image), !transform.changesNothing else {
            image.frame.dropColorProfile()
            return image
        }
        if image.frame.format == AV_PIX_FMT_YUVJ420P { return try convertPhoto(image.frame, transform) }
        let converted = try image.frame.copy()
        convertPlanes(converted, transform)
        converted.dropColorProfile()
        return ScaledImage(frame: converted)
    }

    /// Returns the transform of the image's profile. A gray one is for gray images, whose three color planes are equal.
    private static func transform(of image: borrowing ScaledImage) -> ColorTransform? {
        guard image.frame.format != AV_PIX_FMT_GRAY8 else { return image.frame.transform(of: .gray) }
        if let colors = image.frame.transform(of: .rgb) { return colors }
        guard let gray = image.frame.transform(of: .gray), isNeutral(image.frame) else { return nil }
        return gray
    }

    /// Returns whether red, green and blue are equal in each pixel of `gbrp` or `gbrap`.
    private static func isNeutral(_ frame: borrowing Frame) -> Bool {
        guard frame.format == AV_PIX_FMT_GBRP || frame.format == AV_PIX_FMT_GBRAP else { return false }
        let (width, height, stride) = (frame.width, frame.height, frame.stride(0))
        return [1, 2].allSatisfy { plane in
            let otherStride = frame.stride(plane)
            return frame.withPlane(0) { first in
                frame.withPlane(plane) { other in
                    for row in 0..<height {
                        for column in 0..<width where first[row * stride + column] != other[row * otherStride + column]
                        {
                            return false
                        }
                    }
                    return true
                }
            }
        }
    }

    private static func convertPhoto(
        _ photo: borrowing Frame, _ transform: borrowing ColorTransform
    ) throws(TranscodeFailure) -> ScaledImage {
        let packed = try photo.converted(to: AV_PIX_FMT_RGB24)
        let (width, height, stride) = (packed.width, packed.height, packed.stride(0))
        var line = [UInt8](repeating: 0, count: width * 3)
        packed.withMutablePlane(0) { bytes in
            for row in 0..<height {
                let start = row * stride
                for offset in line.indices { line[offset] = bytes[start + offset] }
                transform.convert(line.span, into: &bytes, at: start, pixels: width)
            }
        }
        let converted = try Frame.allocate(width: photo.width, height: photo.height, format: photo.format)
        try Scaler.make(from: packed.shape, to: photo.shape, quality: .still).scale(packed, into: converted)
        return ScaledImage(frame: converted)
    }

    /// Converts a frame in `gray8`, `gbrp` or premultiplied `gbrap`. The transform applies to the colors before their
    /// multiplication with alpha. A gray profile converts each of three color planes separately.
    private static func convertPlanes(_ frame: borrowing Frame, _ transform: borrowing ColorTransform) {
        let (width, height) = (frame.width, frame.height)
        let hasAlpha = frame.format == AV_PIX_FMT_GBRAP
        // FFmpeg's order of the planes of `gbrp` is green, blue, red.
        let planes = frame.format == AV_PIX_FMT_GRAY8 ? [0] : [2, 0, 1]
        let groups = transform.kind == .gray ? planes.map { [$0] } : [planes]
        if hasAlpha { AlphaPlanes.divide(frame) }
        var line = [UInt8](repeating: 0, count: width * planes.count)
        var converted = [UInt8](repeating: 0, count: width * 3)
        for row in 0..<height {
            for group in groups {
                for (channel, plane) in group.enumerated() {
                    let start = row * frame.stride(plane)
                    frame.withPlane(plane) { bytes in
                        for column in 0..<width { line[column * group.count + channel] = bytes[start + column] }
                    }
                }
                var target = converted.mutableSpan
                transform.convert(line.span, into: &target, pixels: width)
                for (channel, plane) in group.enumerated() {
                    let start = row * frame.stride(plane)
                    frame.withMutablePlane(plane) { bytes in
                        for column in 0..<width { bytes[start + column] = converted[column * 3 + channel] }
                    }
                }
            }
        }
        if hasAlpha { AlphaPlanes.multiply(frame) }
    }
}
