import CFFmpeg
import TranscodeProtocol

/// The search for the most frequent color of an image.
///
/// Colors are counted in boxes that span 16 levels of each channel. The result is the mean of the fullest box, so noise
/// and small details do not change it. The mean of the whole image could be a color that the image does not contain.
enum DominantColor {
    /// The lowest alpha of a pixel that is counted. Pixels with less alpha look like their background.
    private static let minAlpha: UInt8 = 128

    private struct Box {
        var count = 0
        var red = 0
        var green = 0
        var blue = 0

        mutating func add(_ sample: ColorSamples.Sample) {
            count += 1
            red += Int(sample.red)
            green += Int(sample.green)
            blue += Int(sample.blue)
        }
    }

    /// Returns the most frequent color.
    ///
    /// - Returns: The color as `#rrggbb`; `nil` if no pixel is opaque enough.
    static func text(of image: ColorSamples) -> String? {
        var boxes = [Box](repeating: Box(), count: 1 << 12)
        for sample in image.samples where sample.alpha >= minAlpha {
            boxes[Int(sample.red >> 4) << 8 | Int(sample.green >> 4) << 4 | Int(sample.blue >> 4)].add(sample)
        }
        // If boxes are equally full, the first and darkest one is taken, so that the result is always the same.
        var fullest = Box()
        for box in boxes where box.count > fullest.count { fullest = box }
        guard fullest.count > 0 else { return nil }
        return "#"
            + [fullest.red, fullest.green, fullest.blue].map { sum in
                let digits = String((sum + fullest.count / 2) / fullest.count, radix: 16)
                return digits.count < 2 ? "0" + digits : digits
            }.joined()
    }
}

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
