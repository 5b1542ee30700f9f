import CFFmpeg
import TranscodeProtocol

/// A converter from CMYK to RGB.
struct CMYKConversion: ~Copyable {
    /// The transform of the CMYK profile. If `nil`, each channel is multiplied by the black channel.
    let transform: ColorTransform?

    /// Converts a CMYK image.
    ///
    /// - Parameter inks: An image in `PixelFormat.cmyk`, in which 255 means no ink. Adobe's programs and all other
    ///   programs that write CMYK JPEGs store the channels in this way.
    /// - Returns: An `rgb24` image. The result is in sRGB if the image has a CMYK profile.
    func rgb(_ inks: borrowing Frame) throws(TranscodeFailure) -> Frame {
        let (width, height, stride) = (inks.width, inks.height, inks.stride(0))
        let light = try Frame.allocate(width: width, height: height, format: AV_PIX_FMT_RGB24)
        let lightStride = light.stride(0)
        inks.withPlane(0) { source in
            light.withMutablePlane(0) { target in
                for row in 0..<height {
                    convert(
                        source.extracting(row * stride..<row * stride + width * 4), into: &target,
                        at: row * lightStride)
                }
            }
        }
        return light
    }

    /// Converts a row of CMYK pixels, in which 255 means no ink. Red, green and blue are written from `start` on.
    func convert(_ inks: Span<UInt8>, into light: inout MutableSpan<UInt8>, at start: Int) {
        let pixels = inks.count / 4
        switch transform {
        case .some(let transform): transform.convert(inks, into: &light, at: start, pixels: pixels)
        case .none:
            for pixel in 0..<pixels {
                let black = UInt32(inks[pixel * 4 + 3])
                for color in 0..<3 {
                    let product = UInt32(inks[pixel * 4 + color]) * black + 128
                    light[start + pixel * 3 + color] = UInt8(truncatingIfNeeded: (product + product >> 8) >> 8)
                }
            }
        }
    }
}
