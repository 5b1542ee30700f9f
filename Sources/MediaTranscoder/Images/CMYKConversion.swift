import CFFmpeg
import TranscodeProtocol

/// Turns four inks into light.
enum CMYKConversion {
    /// - Parameter inks: `PixelFormat.cmyk`, stored as Adobe's programs do: 255 is no ink. (So do all programs that
    ///   write four inks into a JPEG.)
    /// - Returns: `rgb24`, in sRGB where the picture has a profile of its inks; else each colour is what its ink and the
    ///   black let through.
    static func rgb(_ inks: borrowing Frame) throws(TranscodeFailure) -> Frame {
        let (width, height, stride) = (inks.width, inks.height, inks.stride(0))
        let light = try Frame.allocate(width: width, height: height, format: AV_PIX_FMT_RGB24)
        let lightStride = light.stride(0)
        if let transform = inks.transform(of: .inks) {
            inks.withPlane(0) { source in
                light.withMutablePlane(0) { target in
                    for row in 0..<height {
                        transform.convert(
                            source.extracting(row * stride..<row * stride + width * 4), into: &target,
                            at: row * lightStride, pixels: width)
                    }
                }
            }
            return light
        }
        inks.withPlane(0) { source in
            light.withMutablePlane(0) { target in
                for row in 0..<height {
                    for column in 0..<width {
                        let ink = row * stride + column * 4
                        let black = UInt32(source[ink + 3])
                        for color in 0..<3 {
                            let product = UInt32(source[ink + color]) * black + 128
                            target[row * lightStride + column * 3 + color] = UInt8(
                                truncatingIfNeeded: (product + product >> 8) >> 8)
                        }
                    }
                }
            }
        }
        return light
    }
}
