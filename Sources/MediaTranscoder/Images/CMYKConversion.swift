import CFFmpeg
import TranscodeProtocol

/// Turns four inks into light.
struct CMYKConversion: ~Copyable {
    private let transform: ColorTransform?

    /// - Parameter transform: from the profile of the inks; without one, each colour is what its ink and the black let
    ///   through.
    init(_ transform: consuming ColorTransform?) {
        self.transform = transform
    }

    /// - Parameter inks: `PixelFormat.cmyk`, stored as Adobe's programs do: 255 is no ink. (So do all programs that
    ///   write four inks into a JPEG.)
    /// - Returns: `rgb24`, in sRGB where the picture has a profile of its inks.
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

    /// Turns a row of inks, four bytes a pixel and 255 for no ink, into red, green and blue from an offset on.
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
