import Base
import CFFmpeg
import Glibc
import TranscodeProtocol

/// A converter of images with high dynamic range to sRGB. It uses tables from code values to light and back.
///
/// Colors keep their proportions: all three channels are scaled by the factor that the brightest one needs. A color
/// outside sRGB's gamut then moves toward a gray of the same luminance until it fits.
struct ToneMapping {
    /// The number of bits in the code values that are read.
    private static let bits = 10
    /// The last index of the tables: the square root of the light, which is close to perceived brightness.
    private static let steps = 4_095

    private let transfer: HDRTransfer
    private let lights: [Float]
    private let gains: [Float]
    private let toned: [Float]
    private let numbers: [UInt8]
    /// The matrix from the image's primaries to those of sRGB, row by row.
    private let matrix: [Float]

    init(_ transfer: HDRTransfer, matrix: [Float]) {
        self.transfer = transfer
        self.matrix = matrix
        let last = (1 << Self.bits) - 1
        func table(_ value: (Double) -> Double) -> [Float] {
            (0...Self.steps).map { step in
                let root = Double(step) / Double(Self.steps)
                return Float(value(root * root))
            }
        }
        lights = (0...last).map { Float(transfer.light(Double($0) / Double(last))) }
        gains = transfer == .hlg ? table(HDRTransfer.hlgGain) : []
        toned = table { HDRTransfer.toned($0 * HDRTransfer.peak) }
        // The curve of sRGB is that of IEC 61966-2-1.
        numbers = table { $0 <= 0.003_130_8 ? $0 * 12.92 : 1.055 * pow($0, 1 / 2.4) - 0.055 }
            .map { UInt8(($0 * 255).rounded()) }
    }

    /// Scales an image and converts it to sRGB. Scaling comes first, so only about a megapixel is tone-mapped.
    ///
    /// - Parameter source: A frame without alpha.
    /// - Returns: A frame in the format `yuvj420p`.
    static func scale(
        _ source: borrowing Frame, _ transfer: HDRTransfer, to size: PixelSize
    ) throws(TranscodeFailure) -> ScaledImage {
        ScaledImage(frame: try rgb(source, transfer, to: size).converted(to: AV_PIX_FMT_YUVJ420P))
    }

    /// Scales an image and converts it to sRGB.
    ///
    /// - Parameter source: A frame without alpha.
    /// - Returns: A frame in the format `rgb24`.
    static func rgb(
        _ source: borrowing Frame, _ transfer: HDRTransfer, to size: PixelSize
    ) throws(TranscodeFailure) -> Frame {
        let deep = try source.converted(to: AV_PIX_FMT_GBRP10LE, size: size)
        let packed = try Frame.allocate(width: size.width, height: size.height, format: AV_PIX_FMT_RGB24)
        ToneMapping(transfer, matrix: source.matrixToSRGB).convert(deep, into: packed)
        return packed
    }

    /// Converts the colors of a frame.
    ///
    /// - Parameter deep: The source, in `gbrp10le`.
    /// - Parameter packed: The target, in `rgb24` and of the same size.
    func convert(_ deep: borrowing Frame, into packed: borrowing Frame) {
        let (width, height, stride) = (deep.width, deep.height, packed.stride(0))
        let strides = [2, 0, 1].map { deep.stride($0) }
        deep.withPlane(2) { red in
            deep.withPlane(0) { green in
                deep.withPlane(1) { blue in
                    packed.withMutablePlane(0) { target in
                        for row in 0..<height {
                            for column in 0..<width {
                                let color = color(
                                    light(red, row * strides[0] + 2 * column),
                                    light(green, row * strides[1] + 2 * column),
                                    light(blue, row * strides[2] + 2 * column))
                                let start = row * stride + 3 * column
                                target[start] = number(color.red)
                                target[start + 1] = number(color.green)
                                target[start + 2] = number(color.blue)
                            }
                        }
                    }
                }
            }
        }
    }

    private func light(_ plane: Span<UInt8>, _ offset: Int) -> Float {
        lights[(Int(plane[offset]) | Int(plane[offset + 1]) << 8) & (lights.count - 1)]
    }

    private func number(_ light: Float) -> UInt8 { numbers[Self.step(light)] }

    private static func step(_ light: Float) -> Int { Int(max(0, min(1, light)).squareRoot() * Float(steps) + 0.5) }

    private func color(_ red: Float, _ green: Float, _ blue: Float) -> (red: Float, green: Float, blue: Float) {
        var scale: Float = 1
        if transfer == .hlg {
            // The weights are those of luminance with BT.2100's primaries.
            scale = gains[Self.step(0.262_7 * red + 0.678 * green + 0.059_3 * blue)]
        }
        let brightest = max(red, green, blue) * scale
        guard brightest > 0 else { return (0, 0, 0) }
        scale *= toned[Self.step(brightest / Float(HDRTransfer.peak))] / brightest
        let (r, g, b) = (red * scale, green * scale, blue * scale)
        return Self.fitting(
            matrix[0] * r + matrix[1] * g + matrix[2] * b, matrix[3] * r + matrix[4] * g + matrix[5] * b,
            matrix[6] * r + matrix[7] * g + matrix[8] * b)
    }

    /// Returns the color, mixed with a gray of the same luminance (ITU-R BT.709) until its channels are within 0…1.
    private static func fitting(
        _ red: Float, _ green: Float, _ blue: Float
    ) -> (red: Float, green: Float, blue: Float) {
        let (least, most) = (min(red, green, blue), max(red, green, blue))
        guard least < 0 || most > 1 else { return (red, green, blue) }
        let gray = max(0, min(1, 0.212_6 * red + 0.715_2 * green + 0.072_2 * blue))
        var share: Float = 1
        if least < 0 { share = min(share, gray / (gray - least)) }
        if most > 1 { share = min(share, (1 - gray) / (most - gray)) }
        return (gray + (red - gray) * share, gray + (green - gray) * share, gray + (blue - gray) * share)
    }
}
