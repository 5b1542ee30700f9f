/// A decoded picture in sRGB, with alpha that is not multiplied in.
package struct ImagePixels: Sendable, Equatable {
    package let width: Int
    package let height: Int
    /// Red, green, blue, alpha; rows from the top, without gaps.
    package let bytes: [UInt8]

    /// - Precondition: `bytes` holds four for each pixel, of which there are some.
    package init(width: Int, height: Int, bytes: [UInt8]) {
        precondition(width > 0 && height > 0 && bytes.count == width * height * 4)
        self.width = width
        self.height = height
        self.bytes = bytes
    }
}
