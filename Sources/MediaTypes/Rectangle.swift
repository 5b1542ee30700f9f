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
