/// The means of an image's fields, with the same number of fields along each side.
///
/// A pixel belongs to the field that contains its center. A field that contains no pixel center consists of the pixel
/// at the field's center.
struct ImageGrid {
    /// Red, green and blue of the fields on white, in rows from the top.
    private(set) var colors: [UInt8] = []
    private(set) var opacity: [UInt8] = []
    /// Whether all pixels are opaque.
    private(set) var isOpaque = true

    init(of image: ImagePixels, side: Int) {
        let columns = (0..<side).map { Self.pixels(of: $0, side, over: image.width) }
        for row in 0..<side {
            let rows = Self.pixels(of: row, side, over: image.height)
            for column in columns {
                append(Self.sums(of: image, columns: column, rows: rows), column.count * rows.count)
            }
        }
    }

    private mutating func append(_ sums: (red: Int, green: Int, blue: Int, alpha: Int), _ pixels: Int) {
        func mean(_ sum: Int, of whole: Int) -> UInt8 { UInt8((sum + whole / 2) / whole) }
        for sum in [sums.red, sums.green, sums.blue] { colors.append(mean(sum, of: 255 * pixels)) }
        opacity.append(mean(sums.alpha, of: pixels))
        isOpaque = isOpaque && sums.alpha == 255 * pixels
    }

    /// Returns the sums of the pixels of a field. The sums of the colors are multiplied by 255. Simple `while` loops
    /// are used, because debug builds read millions of pixels here.
    private static func sums(
        of image: ImagePixels, columns: Range<Int>, rows: Range<Int>
    ) -> (red: Int, green: Int, blue: Int, alpha: Int) {
        image.bytes.withUnsafeBufferPointer { bytes in
            var (red, green, blue, alphas) = (0, 0, 0, 0)
            var row = rows.lowerBound
            while row < rows.upperBound {
                var pixel = (row &* image.width &+ columns.lowerBound) &* 4
                let end = pixel &+ columns.count &* 4
                while pixel < end {
                    let alpha = Int(bytes[pixel &+ 3])
                    let white = 255 &* (255 &- alpha)
                    red &+= Int(bytes[pixel]) &* alpha &+ white
                    green &+= Int(bytes[pixel &+ 1]) &* alpha &+ white
                    blue &+= Int(bytes[pixel &+ 2]) &* alpha &+ white
                    alphas &+= alpha
                    pixel &+= 4
                }
                row &+= 1
            }
            return (red, green, blue, alphas)
        }
    }

    private static func pixels(of field: Int, _ side: Int, over length: Int) -> Range<Int> {
        // The center of the pixel n is at n + ½.
        func first(_ edge: Int) -> Int { (2 * edge * length + side) / (2 * side) }
        let (start, end) = (first(field), first(field + 1))
        if start < end { return start..<end }
        let middle = (2 * field + 1) * length / (2 * side)
        return middle..<middle + 1
    }
}
