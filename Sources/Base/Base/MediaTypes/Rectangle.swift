/// A rectangle in an image, measured from the upper left corner.
///
/// The units of the sides are those of the value: pixels of whole numbers, or parts of the image's sides.
package struct Rectangle<Value: Hashable & Sendable>: Hashable, Sendable {
    package var x: Value
    package var y: Value
    package var width: Value
    package var height: Value

    package init(x: Value, y: Value, width: Value, height: Value) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}

extension Rectangle<Double> {
    /// Whether a rectangle of unit coordinates, each 0…1, contains no part of the image.
    package var isOutsideOfImage: Bool { width == 0 || height == 0 || x == 1 || y == 1 }
}

extension Rectangle<UInt32> {
    /// The side of the whole image in a rectangle of millionths.
    package static var millionths: UInt32 { 1_000_000 }

    /// Creates a rectangle of millionths from a rectangle of unit coordinates, each 0…1.
    ///
    /// The rectangle is at least one millionth wide and high, and begins within the image.
    package init(millionths rect: Rectangle<Double>) {
        func millionths(_ value: Double) -> UInt32 { UInt32((value * Double(Self.millionths)).rounded()) }
        let (x, y) = (millionths(rect.x), millionths(rect.y))
        self.init(
            x: min(x, Self.millionths - 1), y: min(y, Self.millionths - 1),
            width: max(1, millionths(rect.x + rect.width) - x), height: max(1, millionths(rect.y + rect.height) - y))
    }
}

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
