import CFFmpeg

/// A histogram of the colors of all frames of an animation. Each box of the histogram spans 8 levels of red, green and
/// blue. The colors are also counted exactly while there are few of them.
struct ColorHistogram {
    /// The number of boxes: 32 for each of red, green and blue.
    static let boxCount = 32_768

    static func box(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Int {
        Int(red >> 3) << 10 | Int(green >> 3) << 5 | Int(blue >> 3)
    }

    /// The number of pixels in each box.
    private(set) var counts = [UInt32](repeating: 0, count: Self.boxCount)
    private(set) var sums = [UInt64](repeating: 0, count: Self.boxCount * 3)
    private(set) var exact = ExactColors()

    /// Counts the opaque pixels of a frame in the format `gbrp` or `gbrap`.
    mutating func add(_ frame: borrowing Frame) {
        var last: UInt32 = .max
        frame.forEachPixel { _, _, pixel in
            guard pixel.isOpaque else { return }
            let box = Self.box(pixel.red, pixel.green, pixel.blue)
            counts[box] &+= 1
            sums[box * 3] &+= UInt64(pixel.red)
            sums[box * 3 + 1] &+= UInt64(pixel.green)
            sums[box * 3 + 2] &+= UInt64(pixel.blue)
            // Neighboring pixels often have the same color.
            guard pixel.color != last else { return }
            last = pixel.color
            exact.add(last)
        }
    }
}

/// A pixel as a GIF shows it: blended with white and opaque, or fully transparent.
struct ScreenPixel {
    var red: UInt8
    var green: UInt8
    var blue: UInt8
    var isOpaque: Bool

    var color: UInt32 { UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue) }
}

extension Frame {
    /// Calls `body` with the column, row and color of each pixel of a frame in `gbrp` or premultiplied `gbrap`.
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

/// A hash table of at most 255 colors (red, green and blue in 24 bits) and of their palette indices.
struct ExactColors {
    static let most = 255
    private static let places = 1_024
    private static let none = UInt32.max

    private var keys = [UInt32](repeating: Self.none, count: Self.places)
    private var numbers = [UInt8](repeating: 0, count: Self.places)
    /// The colors in the order in which they were added.
    private(set) var colors: [UInt32] = []
    /// Whether a color was rejected because the table is full.
    private(set) var isFull = false

    mutating func add(_ color: UInt32) {
        guard !isFull else { return }
        let place = place(of: color)
        guard keys[place] != color else { return }
        guard colors.count < Self.most else {
            isFull = true
            return
        }
        keys[place] = color
        numbers[place] = UInt8(colors.count)
        colors.append(color)
    }

    /// Returns the palette index of a color, or `nil` if it was not added.
    func number(of color: UInt32) -> UInt8? {
        let place = place(of: color)
        return keys[place] == color ? numbers[place] : nil
    }

    /// Returns the slot of the color, or the free slot for it. At most a quarter is used, so searches are short.
    private func place(of color: UInt32) -> Int {
        var place = Int(truncatingIfNeeded: (color &* 0x9E37_79B1) >> 22)
        while keys[place] != color, keys[place] != Self.none { place = (place + 1) % Self.places }
        return place
    }
}
