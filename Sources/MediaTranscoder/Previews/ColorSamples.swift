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
        case AV_PIX_FMT_YUVJ420P: self.init(planes: try image.frame.converted(to: AV_PIX_FMT_GBRP))
        case AV_PIX_FMT_GBRAP:
            let divided = try image.frame.copy()
            AlphaPlanes.divide(divided)
            self.init(planes: divided)
        default: self.init(planes: image.frame)
        }
    }

    /// Reads the planes of a frame.
    ///
    /// - Parameter frame: A frame in `gray8`, `gbrp` or `gbrap`.
    private init(planes frame: borrowing Frame) {
        let isGray = frame.format == AV_PIX_FMT_GRAY8
        let first = frame.samples(ofPlane: 0)
        let (blue, red) = isGray ? (first, first) : (frame.samples(ofPlane: 1), frame.samples(ofPlane: 2))
        let alpha = frame.format == AV_PIX_FMT_GBRAP ? frame.samples(ofPlane: 3) : nil
        let width = frame.width
        self.init(width: width, height: frame.height) { x, y in
            let place = y * width + x
            return Sample(red: red[place], green: first[place], blue: blue[place], alpha: alpha?[place] ?? 255)
        }
    }
}
