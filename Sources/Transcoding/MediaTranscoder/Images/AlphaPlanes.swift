import Base
import CFFmpeg
import MediaHeaders
import TranscodeProtocol

/// The arithmetic between the color and alpha planes of a `gbrap` frame, with 8 bits each. Other frames do not change.
enum AlphaPlanes {
    private static let alphaPlane = 3
    private static let colorPlanes = 0..<3

    /// Multiplies each color by its alpha.
    static func multiply(_ frame: borrowing Frame) {
        forEachColorByte(frame) { color, alpha in
            // The formula rounds c·a/255 exactly (Blinn).
            let product = UInt32(color) * UInt32(alpha) + 128
            return UInt8(truncatingIfNeeded: (product + product >> 8) >> 8)
        }
    }

    /// Divides each color by its alpha. The colors of transparent pixels become black.
    static func divide(_ frame: borrowing Frame) {
        forEachColorByte(frame) { color, alpha in
            guard alpha > 0 else { return 0 }
            return UInt8(min(255, (UInt32(color) * 255 + UInt32(alpha) / 2) / UInt32(alpha)))
        }
    }

    /// Blends premultiplied colors with white.
    static func layOverWhite(_ frame: borrowing Frame) {
        forEachColorByte(frame) { color, alpha in
            UInt8(min(255, UInt32(color) + 255 - UInt32(alpha)))
        }
    }

    /// Returns whether every alpha value is 255.
    static func isOpaque(_ frame: borrowing Frame) -> Bool {
        let (width, height, stride) = (frame.width, frame.height, frame.stride(alphaPlane))
        return frame.withPlane(alphaPlane) { alphas in
            guard !alphas.isEmpty else { return true }
            for row in 0..<height {
                for offset in row * stride..<row * stride + width where alphas[offset] != 255 { return false }
            }
            return true
        }
    }

    private static func forEachColorByte(_ frame: borrowing Frame, _ change: (UInt8, UInt8) -> UInt8) {
        guard frame.format == AV_PIX_FMT_GBRAP else { return }
        let (width, height, alphaStride) = (frame.width, frame.height, frame.stride(alphaPlane))
        for plane in colorPlanes {
            let stride = frame.stride(plane)
            frame.withPlane(alphaPlane) { alphas in
                frame.withMutablePlane(plane) { colors in
                    for row in 0..<height {
                        for column in 0..<width {
                            let offset = row * stride + column
                            colors[offset] = change(colors[offset], alphas[row * alphaStride + column])
                        }
                    }
                }
            }
        }
    }
}

/// The functions that add a mask to an image as its alpha, and convert other kinds of alpha to straight alpha.
enum AlphaMerge {
    /// Converts an image's alpha.
    ///
    /// - Returns: An image without alpha, or with colors that are not multiplied by it.
    static func apply(_ meaning: ImageFacts.AlphaMeaning, to image: consuming Frame) throws(TranscodeFailure) -> Frame {
        guard meaning != .coverage, image.pixelFormat.hasAlpha, !image.pixelFormat.hasPalette else { return image }
        let planar = try image.converted(to: meaning == .meansNothing ? AV_PIX_FMT_GBRP : AV_PIX_FMT_GBRAP)
        if meaning == .isMultipliedIn { AlphaPlanes.divide(planar) }
        try planar.copyColorProfile(from: image)
        return planar
    }

    /// Sets the colors that the file names instead of its profile. An image with high dynamic range and alpha is
    /// converted to SDR here, because the later scaling of such images keeps no alpha.
    static func named(_ color: CodedColor, _ image: consuming Frame) throws(TranscodeFailure) -> Frame {
        image.dropColorProfile()
        image.setColor(color)
        guard image.hdrTransfer != nil else {
            try image.attachProfileOfPrimaries()
            return image
        }
        guard image.pixelFormat.hasAlpha else { return image }
        let covered = try image.converted(to: AV_PIX_FMT_GBRAP)
        let toned = try planes(of: image)
        try lay(covered.alphaPlane(), over: toned, isPremultiplied: false)
        return toned
    }

    /// Converts an image to `gbrap`, and high dynamic range to SDR first: eight bits cannot hold its tones.
    ///
    /// - Returns: The same image in `gbrap`. Its alpha is not yet defined.
    static func planes(of image: consuming Frame) throws(TranscodeFailure) -> Frame {
        if let transfer = image.hdrTransfer { image = try ToneMapping.rgb(image, transfer, to: image.size) }
        let planes = try image.converted(to: AV_PIX_FMT_GBRAP)
        try planes.copyColorProfile(from: image)
        return planes
    }

    /// Makes the first plane of a mask the alpha of a `gbrap` image. The result is not premultiplied.
    ///
    /// - Parameter mask: The mask, which is scaled to the image's size.
    /// - Parameter isPremultiplied: Whether the colors are already multiplied by the mask.
    static func lay(
        _ mask: consuming Frame, over image: borrowing Frame, isPremultiplied: Bool
    ) throws(TranscodeFailure) {
        let alpha = try image.alphaPlane()
        try Scaler.make(from: mask.shape, to: alpha.shape, quality: .still).scale(mask, into: alpha)
        if isPremultiplied { AlphaPlanes.divide(image) }
    }
}
