/// The palette of an animated GIF, and the nearest color in it for each pixel.
///
/// If there are few colors, the palette holds them unchanged. Otherwise a median cut reduces them, and an ordered
/// dither mixes them. The pattern of the dither does not move between frames, so that unchanged pixels need no bytes.
struct GIFPalette {
    /// The colors, each with red, green and blue in 24 bits.
    let colors: [UInt32]
    /// Whether the palette holds every color of the animation.
    let isExact: Bool
    private let exact: ExactColors
    /// The largest change of a level by the dither.
    private let spread: Int
    /// The index of the nearest color for each box of the histogram, or `unknown`.
    private var nearest: [UInt16]

    private static let unknown = UInt16.max
    /// The 8 × 8 threshold matrix of Bayer, with values 0…63.
    private static let thresholds: [Int] = (0..<64).map { place in
        let (x, y) = (place % 8, place / 8)
        return (0..<3).reduce(0) { value, bit in
            value | ((x ^ y) >> bit & 1) << (5 - 2 * bit) | (y >> bit & 1) << (4 - 2 * bit)
        }
    }

    /// Makes a palette from the colors of all frames.
    ///
    /// - Parameter most: The largest number of colors, 2…255.
    init(_ histogram: ColorHistogram, most: Int) {
        exact = histogram.exact
        isExact = !exact.isFull && exact.colors.count <= most
        colors = isExact ? exact.colors : MedianCut.colors(of: histogram, most: most)
        spread = most > 200 ? 6 : most > 100 ? 9 : 14
        nearest = [UInt16](repeating: Self.unknown, count: ColorHistogram.boxCount)
    }

    /// The index of the transparent color.
    var transparent: UInt8 { UInt8(colors.count) }

    /// The number of bits in an index, 2…8.
    var bits: Int { max(2, Int.bitWidth - colors.count.leadingZeroBitCount) }

    /// Returns the index of the color for an opaque pixel. The position selects the threshold of the dither.
    mutating func number(of pixel: ScreenPixel, column: Int, row: Int) -> UInt8 {
        if isExact { return exact.number(of: pixel.color) ?? 0 }
        let shift = (Self.thresholds[(row & 7) * 8 + (column & 7)] - 32) * spread / 32
        func shifted(_ level: UInt8) -> UInt8 { UInt8(max(0, min(255, Int(level) + shift))) }
        let (red, green, blue) = (shifted(pixel.red), shifted(pixel.green), shifted(pixel.blue))
        let box = ColorHistogram.box(red, green, blue)
        if nearest[box] == Self.unknown {
            nearest[box] = UInt16(nearestColor(Int(red & 0xF8) + 4, Int(green & 0xF8) + 4, Int(blue & 0xF8) + 4))
        }
        return UInt8(nearest[box])
    }

    /// Returns whether each channel of a pixel differs from a palette color by at most `tolerance` levels.
    func isNear(_ pixel: ScreenPixel, _ number: UInt8, tolerance: Int) -> Bool {
        guard tolerance > 0, Int(number) < colors.count else { return false }
        let color = colors[Int(number)]
        return abs(Int(pixel.red) - Int(color >> 16)) <= tolerance
            && abs(Int(pixel.green) - Int(color >> 8 & 0xFF)) <= tolerance
            && abs(Int(pixel.blue) - Int(color & 0xFF)) <= tolerance
    }

    /// Returns the index of the nearest color. Differences of green have the largest weight, and differences of blue
    /// have the smallest weight, as in human vision.
    private func nearestColor(_ red: Int, _ green: Int, _ blue: Int) -> Int {
        var best = (number: 0, distance: Int.max)
        for (number, color) in colors.enumerated() {
            let (dr, dg, db) = (red - Int(color >> 16), green - Int(color >> 8 & 0xFF), blue - Int(color & 0xFF))
            let distance = 3 * dr * dr + 4 * dg * dg + 2 * db * db
            if distance < best.distance { best = (number, distance) }
        }
        return best.number
    }
}
