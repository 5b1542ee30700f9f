import CFFmpeg

/// Counts the colours of all frames of an animation, in boxes of 32 levels for each of red, green and blue, and one by one
/// while they are few.
struct ColourHistogram {
    /// Boxes of eight levels a side.
    static let boxCount = 32_768

    static func box(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Int {
        Int(red >> 3) << 10 | Int(green >> 3) << 5 | Int(blue >> 3)
    }

    /// Pixels of each box, and the sums of their red, green and blue.
    private(set) var counts = [UInt32](repeating: 0, count: Self.boxCount)
    private(set) var sums = [UInt64](repeating: 0, count: Self.boxCount * 3)
    private(set) var exact = ExactColours()

    /// Counts the opaque pixels of `gbrp` or `gbrap`.
    mutating func add(_ frame: borrowing Frame) {
        var last: UInt32 = .max
        frame.forEachPixel { _, _, pixel in
            guard pixel.isOpaque else { return }
            let box = Self.box(pixel.red, pixel.green, pixel.blue)
            counts[box] &+= 1
            sums[box * 3] &+= UInt64(pixel.red)
            sums[box * 3 + 1] &+= UInt64(pixel.green)
            sums[box * 3 + 2] &+= UInt64(pixel.blue)
            // Neighbours are often the same.
            guard pixel.colour != last else { return }
            last = pixel.colour
            exact.add(last)
        }
    }
}

/// A pixel as a GIF shows it: opaque over white, or not at all.
struct ScreenPixel {
    var red: UInt8
    var green: UInt8
    var blue: UInt8
    var isOpaque: Bool

    var colour: UInt32 { UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue) }
}

extension Frame {
    /// Lends the pixels of `gbrp` or premultiplied `gbrap` one by one, row by row, with their column and row.
    func forEachPixel(_ body: (Int, Int, ScreenPixel) -> Void) {
        let (width, height) = (width, height)
        let strides = (stride(0), stride(1), stride(2), stride(3))
        withPlane(0) { green in
            withPlane(1) { blue in
                withPlane(2) { red in
                    withPlane(3) { alpha in
                        for row in 0..<height {
                            for column in 0..<width {
                                let cover = alpha.isEmpty ? 255 : alpha[row * strides.3 + column]
                                let white = 255 - cover
                                body(
                                    column, row,
                                    ScreenPixel(
                                        red: red[row * strides.2 + column].addedOrFull(white),
                                        green: green[row * strides.0 + column].addedOrFull(white),
                                        blue: blue[row * strides.1 + column].addedOrFull(white), isOpaque: cover >= 128)
                                )
                            }
                        }
                    }
                }
            }
        }
    }
}

extension UInt8 {
    fileprivate func addedOrFull(_ other: UInt8) -> UInt8 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? 255 : sum
    }
}
