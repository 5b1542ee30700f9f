import CFFmpeg

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
