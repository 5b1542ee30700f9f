/// A decoded image in sRGB, with straight (not premultiplied) alpha.
package struct ImagePixels: Sendable, Equatable {
    package let width: Int
    package let height: Int
    /// Red, green, blue and alpha, in rows from the top without gaps.
    package let bytes: [UInt8]

    /// - Precondition: `bytes` has four values for each pixel, and there is at least one pixel.
    package init(width: Int, height: Int, bytes: [UInt8]) {
        precondition(width > 0 && height > 0 && bytes.count == width * height * 4)
        self.width = width
        self.height = height
        self.bytes = bytes
    }
}
