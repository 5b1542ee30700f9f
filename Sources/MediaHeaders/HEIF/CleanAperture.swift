import MediaTypes

/// The rectangle of a 'clap' property (ISO 14496-12, 12.1.4). The property has the sizes of the rectangle, and the
/// distance between the centers of the rectangle and the image, as fractions.
struct CleanAperture: Equatable {
    private var numbers: [Int]

    /// Reads the body of the property.
    ///
    /// - Throws: `malformed` for a short body, an empty size, a size beyond 2³⁰, or a denominator of zero.
    init(_ body: Range<Int>, of bytes: Span<UInt8>) throws(MediaHeaderError) {
        var fields = ISOFields(body, part: "HEIF crop")
        var numbers: [Int] = []
        for _ in 0..<8 { numbers.append(try fields.number(4, of: bytes)) }
        // Only the two distances are signed.
        for index in [4, 6] { numbers[index] = Int(Int32(truncatingIfNeeded: numbers[index])) }
        guard numbers[0] > 0, numbers[2] > 0, [1, 3, 5, 7].allSatisfy({ numbers[$0] > 0 }),
            [0, 2].allSatisfy({ numbers[$0] / numbers[$0 + 1] < HEIFImage.mostSide })
        else { throw .malformed("HEIF crop") }
        self.numbers = numbers
    }

    /// Returns the rectangle in whole pixels of an image with sides up to 2³⁰. It may reach beyond the image.
    ///
    /// MIAF requires whole pixels (ISO 23000-22, 7.3.6.7), so only files of faulty writers are rounded. The size is
    /// rounded to the nearest pixel, at least one. Then the upper left corner is rounded half up.
    func rectangle(width: Int, height: Int) -> Rectangle<Int> {
        let across = max(1, Self.rounded(numbers[0], over: numbers[1]))
        let down = max(1, Self.rounded(numbers[2], over: numbers[3]))
        return Rectangle(
            x: Self.corner(of: across, in: width, distance: numbers[4], over: numbers[5]),
            y: Self.corner(of: down, in: height, distance: numbers[6], over: numbers[7]), width: across, height: down)
    }

    /// Returns (side - size) / 2 + distance / denominator. Sizes have 30 bits and fields 32, so no operation overflows.
    private static func corner(of size: Int, in side: Int, distance: Int, over denominator: Int) -> Int {
        rounded((side - size) * denominator + 2 * distance, over: 2 * denominator)
    }

    /// Returns the quotient, rounded to the nearest whole number, half up.
    private static func rounded(_ numerator: Int, over denominator: Int) -> Int {
        let (quotient, remainder) = (numerator / denominator, numerator % denominator)
        let (low, rest) = remainder < 0 ? (quotient - 1, remainder + denominator) : (quotient, remainder)
        return rest >= denominator - rest ? low + 1 : low
    }
}
