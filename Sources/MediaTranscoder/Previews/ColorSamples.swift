import CFFmpeg
import TranscodeProtocol

/// The pixels of a small image as red, green, blue and alpha with 8 bits each, row by row.
struct ColorSamples {
    struct Sample: Equatable {
        var red: UInt8
        var green: UInt8
        var blue: UInt8
        var alpha: UInt8 = 255
    }

    let width: Int
    let height: Int
    /// The pixels, with colors that are not multiplied by alpha.
    let samples: [Sample]

    init(width: Int, height: Int, _ sample: (_ x: Int, _ y: Int) -> Sample) {
        self.width = width
        self.height = height
        samples = (0..<width * height).map { sample($0 % width, $0 / width) }
    }

    init(_ image: borrowing ScaledImage) throws(TranscodeFailure) {
        switch image.frame.format {
        case AV_PIX_FMT_YUVJ420P:
            let colors = try Frame.allocate(
                width: image.frame.width, height: image.frame.height, format: AV_PIX_FMT_GBRP)
            try Scaler.make(from: image.frame.shape, to: colors.shape, quality: .still)
                .scale(image.frame, into: colors)
            self.init(planes: colors)
        case AV_PIX_FMT_GBRAP:
            let divided = try image.frame.copy()
            AlphaPlanes.divide(divided)
            self.init(planes: divided)
        default:
            self.init(planes: image.frame)
        }
    }

    /// Reads the planes of a frame.
    ///
    /// - Parameter frame: A frame in `gray8`, `gbrp` or `gbrap`.
    private init(planes frame: borrowing Frame) {
        let isGray = frame.format == AV_PIX_FMT_GRAY8
        let first = Self.bytes(of: 0, in: frame)
        let (blue, red) = isGray ? (first, first) : (Self.bytes(of: 1, in: frame), Self.bytes(of: 2, in: frame))
        let alpha = frame.format == AV_PIX_FMT_GBRAP ? Self.bytes(of: 3, in: frame) : nil
        let width = frame.width
        self.init(width: width, height: frame.height) { x, y in
            let place = y * width + x
            return Sample(red: red[place], green: first[place], blue: blue[place], alpha: alpha?[place] ?? 255)
        }
    }

    /// Returns the samples of a plane without the padding of its rows.
    private static func bytes(of plane: Int, in frame: borrowing Frame) -> [UInt8] {
        let (width, height, stride) = (frame.width, frame.height, frame.stride(plane))
        return frame.withPlane(plane) { bytes in
            (0..<width * height).map { bytes[$0 / width * stride + $0 % width] }
        }
    }
}
