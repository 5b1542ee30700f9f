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

    /// Returns the index of the nearest color. Green has the largest weight and blue the smallest, as in human vision.
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

/// The choice of a palette from counted colors (Heckbert, 1982). The group of boxes with the largest weight is cut at
/// its median until there are enough groups. The weight grows with a group's pixels and its range of levels.
enum MedianCut {
    static func colors(of histogram: ColorHistogram, most: Int) -> [UInt32] {
        let used = histogram.counts.indices.filter { histogram.counts[$0] > 0 }
        guard !used.isEmpty else { return [0] }
        var groups = [Group(used, histogram.counts)]
        while groups.count < most, let widest = groups.indices.max(by: { groups[$0].weight < groups[$1].weight }),
            groups[widest].weight > 0
        {
            let (low, high) = groups[widest].halves(histogram.counts)
            groups[widest] = low
            groups.append(high)
        }
        return groups.map { $0.mean(histogram) }
    }

    /// Returns the level of a box in one channel: axis 0 is red, 1 green and 2 blue.
    private static func level(_ box: Int, _ axis: Int) -> Int { box >> (10 - 5 * axis) & 31 }

    private struct Group {
        private let boxes: [Int]
        private let axis: Int
        /// The priority for the next cut; 0 for a group that cannot be cut.
        let weight: Double

        init(_ boxes: [Int], _ counts: [UInt32]) {
            self.boxes = boxes
            let ranges = (0..<3).map { axis in
                let levels = boxes.lazy.map { MedianCut.level($0, axis) }
                return (levels.max() ?? 0) - (levels.min() ?? 0)
            }
            axis = (0..<3).max { ranges[$0] < ranges[$1] } ?? 0
            let pixels = boxes.reduce(0.0) { $0 + Double(counts[$1]) }
            // The square root reserves some palette colors for small areas with rare colors.
            weight = boxes.count > 1 ? pixels.squareRoot() * Double(ranges[axis]) : 0
        }

        func halves(_ counts: [UInt32]) -> (Group, Group) {
            let sorted = boxes.sorted { MedianCut.level($0, axis) < MedianCut.level($1, axis) }
            let half = sorted.reduce(0.0) { $0 + Double(counts[$1]) } / 2
            var (place, sum) = (0, 0.0)
            while place < sorted.count - 1, place == 0 || sum + Double(counts[sorted[place]]) <= half {
                sum += Double(counts[sorted[place]])
                place += 1
            }
            return (Group(Array(sorted[..<place]), counts), Group(Array(sorted[place...]), counts))
        }

        func mean(_ histogram: ColorHistogram) -> UInt32 {
            var (count, sums) = (UInt64(0), [UInt64](repeating: 0, count: 3))
            for box in boxes {
                count += UInt64(histogram.counts[box])
                for axis in 0..<3 { sums[axis] += histogram.sums[box * 3 + axis] }
            }
            return sums.reduce(0) { $0 << 8 | UInt32(min(255, ($1 + count / 2) / max(1, count))) }
        }
    }
}
