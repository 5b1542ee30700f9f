import Base
import CFFmpeg
import MediaHeaders
import TranscodeProtocol

/// A part of an upright image, in fractions of its sides from the upper left corner.
struct ImageClip: Equatable {
    /// The range of columns, within 0…1 and not empty, like `rows`.
    private(set) var columns: Range<Double>
    private(set) var rows: Range<Double>

    /// Creates a clip from a rectangle of millionths.
    ///
    /// - Returns: `nil` if the rectangle holds no part of the image.
    init?(_ rect: Rectangle<UInt32>) {
        let whole = Rectangle<UInt32>.millionths
        guard rect.x < whole, rect.y < whole, rect.width > 0, rect.height > 0 else { return nil }
        columns = Self.range(rect.x, rect.width)
        rows = Self.range(rect.y, rect.height)
    }

    /// Creates a clip of the full width, with rows around the center. The clip is `aspect` times as wide as high.
    ///
    /// - Parameter aspect: The ratio of width to height, 1 or more.
    /// - Returns: `nil` if the image has that ratio or is wider.
    init?(minAspect aspect: Int, of image: PixelSize) {
        let height = max(1, image.width / max(1, aspect))
        guard height < image.height else { return nil }
        let first = (image.height - height) / 2
        columns = 0..<1
        rows = Double(first) / Double(image.height)..<Double(first + height) / Double(image.height)
    }

    private static func range(_ start: UInt32, _ length: UInt32) -> Range<Double> {
        let whole = Rectangle<UInt32>.millionths
        let end = min(UInt64(start) + UInt64(length), UInt64(whole))
        return Double(start) / Double(whole)..<Double(end) / Double(whole)
    }

    /// Returns the pixels of the part. The part has at least one pixel in each direction.
    func pixels(of size: PixelSize) -> (columns: Range<Int>, rows: Range<Int>) {
        (Self.pixels(columns, of: size.width), Self.pixels(rows, of: size.height))
    }

    private static func pixels(_ range: Range<Double>, of length: Int) -> Range<Int> {
        let start = min(Int((range.lowerBound * Double(length)).rounded()), length - 1)
        return start..<max(start + 1, min(length, Int((range.upperBound * Double(length)).rounded())))
    }

    func size(of image: PixelSize) -> PixelSize {
        let pixels = pixels(of: image)
        return PixelSize(pixels.columns.count, pixels.rows.count)
    }

    /// Returns the size of the whole image at which the part has the wanted size. It is at most the image's own.
    func wholeSize(of image: PixelSize, for wanted: PixelSize) -> PixelSize {
        func side(_ range: Range<Double>, _ side: Int, _ wanted: Int) -> Int {
            min(side, Int((Double(wanted) / (range.upperBound - range.lowerBound)).rounded(.up)))
        }
        return PixelSize(side(columns, image.width, wanted.width), side(rows, image.height, wanted.height))
    }

    /// Returns the same part in the image as it is stored.
    func stored(_ orientation: ImageOrientation) -> ImageClip {
        func turned(_ range: Range<Double>) -> Range<Double> { 1 - range.upperBound..<1 - range.lowerBound }
        var stored = self
        // The mirrors are undone first, then the transposition.
        if orientation.mirrorsAcross { stored.columns = turned(columns) }
        if orientation.mirrorsDown { stored.rows = turned(rows) }
        if orientation.swapsSides { swap(&stored.columns, &stored.rows) }
        return stored
    }
}

/// A still image that shows a part of another image.
struct ClippedStill {
    let clip: ImageClip
    /// The upright size of the result, in pixels.
    let size: PixelSize

    /// Creates the still image that a rendition spec requests.
    ///
    /// - Parameter image: The upright size of the whole image.
    /// - Returns: `nil` if the spec requests the whole image.
    init?(_ order: RenditionSpec, of image: PixelSize) {
        let wanted =
            switch order.role {
            case .thumbnail: order.clip.flatMap(ImageClip.init)
            case .attachment: order.minAspect.flatMap { ImageClip(minAspect: Int($0), of: image) }
            case .poster: ImageClip?.none
            }
        guard let clip = wanted else { return nil }
        self.clip = clip
        size = clip.size(of: image).fitting(longestSide: Int(order.imageSide))
    }

    /// Returns the stored size at which the image has to be decoded so that the part is large enough.
    func decodedSize(of stored: PixelSize, _ orientation: ImageOrientation) -> PixelSize {
        clip.stored(orientation).wholeSize(of: stored, for: size.turned(orientation))
    }

    /// Returns the part, scaled and upright. It is cut out before the scaling, to be as sharp as the source.
    ///
    /// - Parameter frame: The decoded image, as stored.
    func image(of frame: borrowing Frame, _ orientation: ImageOrientation) throws(TranscodeFailure) -> ScaledImage {
        let pixels = clip.stored(orientation).pixels(of: frame.size)
        let part = try frame.part(columns: pixels.columns, rows: pixels.rows)
        return try ColorConversion.sRGB(ImageScaling.scale(part, to: size.turned(orientation))).turned(orientation)
    }
}
