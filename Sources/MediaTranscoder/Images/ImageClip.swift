import MediaHeaders
import TranscodeProtocol

/// A part of an upright picture, in fractions of its sides from the upper left corner, and where it lies in pixels.
struct ImageClip: Equatable {
    /// Within 0…1, neither is empty.
    private(set) var columns: Range<Double>
    private(set) var rows: Range<Double>

    /// - Returns: `nil` where nothing of the picture is in it.
    init?(_ rect: ClipRect) {
        guard rect.x < ClipRect.whole, rect.y < ClipRect.whole, rect.width > 0, rect.height > 0 else { return nil }
        columns = Self.range(rect.x, rect.width)
        rows = Self.range(rect.y, rect.height)
    }

    /// The rows around the centre that are so many times as wide as high.
    ///
    /// - Parameter aspect: 1 or more.
    /// - Returns: `nil` where the picture is as wide as that.
    init?(leastAspect aspect: Int, of picture: PixelSize) {
        let height = max(1, picture.width / max(1, aspect))
        guard height < picture.height else { return nil }
        let first = (picture.height - height) / 2
        columns = 0..<1
        rows = Double(first) / Double(picture.height)..<Double(first + height) / Double(picture.height)
    }

    private static func range(_ start: UInt32, _ length: UInt32) -> Range<Double> {
        let end = min(UInt64(start) + UInt64(length), UInt64(ClipRect.whole))
        return Double(start) / Double(ClipRect.whole)..<Double(end) / Double(ClipRect.whole)
    }

    /// The pixels of it, one at least each way.
    func pixels(of size: PixelSize) -> (columns: Range<Int>, rows: Range<Int>) {
        (Self.pixels(columns, of: size.width), Self.pixels(rows, of: size.height))
    }

    private static func pixels(_ range: Range<Double>, of length: Int) -> Range<Int> {
        let start = min(Int((range.lowerBound * Double(length)).rounded()), length - 1)
        return start..<max(start + 1, min(length, Int((range.upperBound * Double(length)).rounded())))
    }

    func size(of picture: PixelSize) -> PixelSize {
        let pixels = pixels(of: picture)
        return PixelSize(pixels.columns.count, pixels.rows.count)
    }

    /// How large the whole picture has to be for the part to be as large as is wanted; not larger than it is.
    func wholeSize(of picture: PixelSize, for wanted: PixelSize) -> PixelSize {
        func side(_ range: Range<Double>, _ side: Int, _ wanted: Int) -> Int {
            min(side, Int((Double(wanted) / (range.upperBound - range.lowerBound)).rounded(.up)))
        }
        return PixelSize(
            side(columns, picture.width, wanted.width), side(rows, picture.height, wanted.height))
    }

    /// The same part of the picture as it is stored.
    func stored(_ orientation: ImageOrientation) -> ImageClip {
        func turned(_ range: Range<Double>) -> Range<Double> { 1 - range.upperBound..<1 - range.lowerBound }
        var stored = self
        switch orientation {
        case .upright: break
        case .mirrored: stored.columns = turned(columns)
        case .turnedHalf: (stored.columns, stored.rows) = (turned(columns), turned(rows))
        case .flipped: stored.rows = turned(rows)
        case .transposed: (stored.columns, stored.rows) = (rows, columns)
        case .turnedRight: (stored.columns, stored.rows) = (rows, turned(columns))
        case .transversed: (stored.columns, stored.rows) = (turned(rows), turned(columns))
        case .turnedLeft: (stored.columns, stored.rows) = (turned(rows), columns)
        }
        return stored
    }
}
