/// A width and a height in pixels.
package struct PixelSize: Hashable, Sendable {
    package var width: Int
    package var height: Int

    /// Creates the size that a header states.
    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// Creates the size of an image that is made. Each side has at least one pixel.
    package init(_ width: Int, _ height: Int) { self.init(width: max(1, width), height: max(1, height)) }

    package var longestSide: Int { max(width, height) }

    /// The number of pixels of an image whose sides are not negative.
    package var pixels: UInt64 { UInt64(width).multipliedReportingOverflow(by: UInt64(height)).partialValue }

    /// Returns the smallest size that contains both sizes.
    package func union(_ other: PixelSize) -> PixelSize {
        PixelSize(max(width, other.width), max(height, other.height))
    }

    /// Returns a size of the same shape whose longest side is at most `most`. It is never larger than this size.
    package func fitting(longestSide most: Int) -> PixelSize {
        let longest = longestSide
        guard longest > most, most > 0 else { return self }
        return PixelSize((width * most + longest / 2) / longest, (height * most + longest / 2) / longest)
    }

    /// The largest size with even sides that fits into this one, as 4:2:0 video needs. Each side has at least 2 pixels.
    package var even: PixelSize { PixelSize(max(2, width & ~1), max(2, height & ~1)) }
}
