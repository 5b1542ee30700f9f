/// Which bits of a pixel's number are which colour. The number is little-endian, of the pixel's bits.
package struct DIBMasks: Sendable, Equatable {
    package var red: UInt32
    package var green: UInt32
    package var blue: UInt32
    /// 0: no bits say how opaque a pixel is.
    package var alpha: UInt32

    package init(red: UInt32, green: UInt32, blue: UInt32, alpha: UInt32 = 0) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// Whether the colours lie as they do here, whatever the alpha.
    func hasColors(of other: DIBMasks) -> Bool {
        red == other.red && green == other.green && blue == other.blue
    }
}
