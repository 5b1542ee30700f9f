import MediaHeaders

/// Turns the blocks of luma and colour differences of a TIFF into red, green and blue (TIFF 6.0, sections 20 and 21).
struct LumaConversion {
    private let luma: TIFFLuma
    /// The light of each code, 0…255 for luma and -127…127 for the colour differences.
    private let lights: [Float]
    private let blues: [Float]
    private let reds: [Float]

    init(_ luma: TIFFLuma) {
        self.luma = luma
        let points = luma.blackAndWhite
        func table(_ part: Int, _ range: Double) -> [Float] {
            let (black, white) = (points[2 * part], points[2 * part + 1])
            return (0..<256).map { Float((Double($0) - black) * range / (white - black)) }
        }
        (lights, blues, reds) = (table(0, 255), table(1, 127), table(2, 127))
    }

    /// Draws the blocks of a part.
    ///
    /// - Parameters:
    ///   - blocks: a row of blocks in each row, as grey samples.
    ///   - canvas: `rgb24`.
    func draw(
        _ blocks: borrowing Frame, into canvas: borrowing Frame, _ place: (columns: Range<Int>, rows: Range<Int>)
    ) {
        let (stride, canvasStride) = (blocks.stride(0), canvas.stride(0))
        let blockBytes = luma.across * luma.down + 2
        let shares = luma.coefficients.map { Float($0) }
        let (redFactor, blueFactor) = (2 - 2 * shares[0], 2 - 2 * shares[2])
        blocks.withPlane(0) { bytes in
            canvas.withMutablePlane(0) { target in
                for row in 0..<place.rows.count {
                    let first = row / luma.down * stride
                    let inner = row % luma.down * luma.across
                    var pixel = (place.rows.lowerBound + row) * canvasStride + 3 * place.columns.lowerBound
                    for column in 0..<place.columns.count {
                        let block = first + column / luma.across * blockBytes
                        let light = lights[Int(bytes[block + inner + column % luma.across])]
                        let red = light + redFactor * reds[Int(bytes[block + blockBytes - 1])]
                        let blue = light + blueFactor * blues[Int(bytes[block + blockBytes - 2])]
                        let green = (light - shares[0] * red - shares[2] * blue) / shares[1]
                        target[pixel] = Self.byte(red)
                        target[pixel + 1] = Self.byte(green)
                        target[pixel + 2] = Self.byte(blue)
                        pixel += 3
                    }
                }
            }
        }
    }

    private static func byte(_ value: Float) -> UInt8 {
        UInt8(max(0, min(255, value.rounded())))
    }
}
