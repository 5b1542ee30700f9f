import MediaHeaders

/// The layout of one component's lowest coefficients in the array with the coefficients of all components. The blocks
/// are stored row by row. Each begins with its DC coefficient.
struct BlockPlane {
    /// The number of blocks in a row that hold a part of the image. A scan of this component alone has these blocks.
    let width: Int
    let height: Int
    /// The number of blocks in a row of the array. Some only complete the last MCU of an interleaved scan.
    let rowBlocks: Int
    /// The number of this component's blocks in a row of one MCU (minimum coded unit) of an interleaved scan.
    let mcuWidth: Int
    let mcuHeight: Int
    /// The number of MCUs in a row of an interleaved scan.
    let mcusAcross: Int
    let mcusDown: Int
    /// The samples along the side of a decoded block, 1 or 2. The array has `side` × `side` coefficients of a block.
    let side: Int
    /// The index of the component's first coefficient in the array.
    let start: Int

    /// Creates the layout of a component.
    ///
    /// - Parameter side: 1 to store only the DC coefficients; 2 to store the AC coefficients 1, 2 and 4 (zigzag), too.
    /// - Parameter start: The end of the coefficients of the earlier components.
    init(_ component: JPEGHeader.Component, of header: JPEGHeader, side: Int, start: Int) {
        let widest = header.components.map(\.horizontalSampling).max() ?? 1
        let highest = header.components.map(\.verticalSampling).max() ?? 1
        (mcuWidth, mcuHeight) = (component.horizontalSampling, component.verticalSampling)
        width = Self.blocks((header.width * mcuWidth + widest - 1) / widest)
        height = Self.blocks((header.height * mcuHeight + highest - 1) / highest)
        mcusAcross = (header.width + 8 * widest - 1) / (8 * widest)
        mcusDown = (header.height + 8 * highest - 1) / (8 * highest)
        rowBlocks = mcusAcross * mcuWidth
        (self.side, self.start) = (side, start)
    }

    /// The index after the component's last coefficient.
    var end: Int { start + rowBlocks * mcusDown * mcuHeight * side * side }

    private static func blocks(_ samples: Int) -> Int { (samples + 7) / 8 }

    /// Returns the index of a block's DC coefficient.
    @inline(__always)
    func coefficient(ofBlock column: Int, inRow row: Int) -> Int {
        start + (row * rowBlocks + column) * (side == 1 ? 1 : 4)
    }
}

/// The dequantization of the coefficients, and an inverse DCT of reduced size.
extension BlockPlane {
    /// Returns the samples of the plane, `side` × `side` for each block, by an inverse DCT of that size.
    ///
    /// The inverse DCT is that of ITU-T T.81, A.3.3, with fewer terms.
    ///
    /// - Parameter coefficients: The quantized coefficients of all planes.
    /// - Parameter steps: The quantization steps of the coefficients 0 (DC), 1, 2 and 4 (AC) in zigzag order.
    /// - Parameter width: The number of samples in a row, at most `side` for each block.
    /// - Parameter height: The number of rows, at most `side` for each block.
    /// - Returns: `nil` if a coefficient is larger than any image needs.
    func samples(_ coefficients: [Int16], steps: [Int], width: Int, height: Int) -> [UInt8]? {
        var samples = [UInt8](repeating: 0, count: width * height)
        var target = samples.mutableSpan
        let source = coefficients.span
        var seen = SIMD4<Int16>()
        for row in 0..<(height + side - 1) / side {
            let blocks = coefficient(ofBlock: 0, inRow: row)
            if side == 1 {
                for column in 0..<width {
                    let dc = source[blocks + column]
                    seen.x |= Self.magnitude(dc)
                    target[row * width + column] = Self.sample(Int(dc) * steps[0])
                }
            } else {
                let hasLower = 2 * row + 1 < height
                for column in 0..<(width + 1) / 2 {
                    let block = blocks + 4 * column
                    let coded = SIMD4(source[block], source[block + 1], source[block + 2], source[block + 3])
                    seen |= SIMD4(
                        Self.magnitude(coded.x), Self.magnitude(coded.y), Self.magnitude(coded.z),
                        Self.magnitude(coded.w))
                    let dc = Int(coded.x) * steps[0]
                    let across = Int(coded.y) * steps[1]
                    let down = Int(coded.z) * steps[2]
                    let both = Int(coded.w) * steps[3]
                    let hasRight = 2 * column + 1 < width
                    let place = 2 * (row * width + column)
                    target[place] = Self.sample(dc + across + down + both)
                    if hasRight { target[place + 1] = Self.sample(dc - across + down - both) }
                    if hasLower { target[place + width] = Self.sample(dc + across - down - both) }
                    if hasRight, hasLower { target[place + width + 1] = Self.sample(dc - across - down + both) }
                }
            }
        }
        let isPossible = steps.indices.allSatisfy { Int(seen[$0]) * steps[$0] <= Self.maxCoefficient }
        return isPossible ? samples : nil
    }

    /// Returns the absolute value of a number. For a negative number, the result is one less than the absolute value.
    /// The bitwise OR of several magnitudes is at least the largest of them.
    private static func magnitude(_ number: Int16) -> Int16 { number ^ (number >> 15) }

    /// The largest dequantized coefficient that is accepted. Coefficients of 8-bit samples reach 1,024, and a coarse
    /// quantization step may double this number. Decoders keep only 16 bits, and show larger ones differently.
    private static let maxCoefficient = 16_384

    /// Returns the sample for a value that is eight times the sample's distance from the middle level, 128.
    private static func sample(_ value: Int) -> UInt8 { UInt8(clamping: (value + 4) >> 3 + 128) }
}
