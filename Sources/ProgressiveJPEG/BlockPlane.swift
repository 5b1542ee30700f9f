import MediaHeaders

/// Where the lowest coefficients of one component's blocks stand among those of the picture: row by row, of a block the
/// mean first.
struct BlockPlane {
    /// Blocks across and down that have to do with the picture: those of a scan with this component alone.
    let width: Int
    let height: Int
    /// Blocks of a row here, with those that only fill up a scan of several components.
    let rowBlocks: Int
    /// Blocks of one unit of such a scan.
    let unitWidth: Int
    let unitHeight: Int
    /// Units of such a scan across and down.
    let unitsAcross: Int
    let unitsDown: Int
    /// Samples along a block's side, 1 or 2; as many coefficients as their square are kept.
    let side: Int
    /// Of its first coefficient.
    let start: Int

    /// - Parameters:
    ///   - side: 1 for the means alone, 2 for the first details too.
    ///   - start: behind the coefficients of the components before.
    init(_ component: JPEGHeader.Component, of header: JPEGHeader, side: Int, start: Int) {
        let widest = header.components.map(\.horizontalSampling).max() ?? 1
        let highest = header.components.map(\.verticalSampling).max() ?? 1
        (unitWidth, unitHeight) = (component.horizontalSampling, component.verticalSampling)
        width = Self.blocks((header.width * unitWidth + widest - 1) / widest)
        height = Self.blocks((header.height * unitHeight + highest - 1) / highest)
        unitsAcross = (header.width + 8 * widest - 1) / (8 * widest)
        unitsDown = (header.height + 8 * highest - 1) / (8 * highest)
        rowBlocks = unitsAcross * unitWidth
        (self.side, self.start) = (side, start)
    }

    /// Behind its last coefficient.
    var end: Int { start + rowBlocks * unitsDown * unitHeight * side * side }

    private static func blocks(_ samples: Int) -> Int { (samples + 7) / 8 }

    /// Where a block's mean stands.
    @inline(__always)
    func coefficient(ofBlock column: Int, inRow row: Int) -> Int {
        start + (row * rowBlocks + column) * (side == 1 ? 1 : 4)
    }

    /// The plane's samples, `side` for each block: those of a transform of that side (ITU-T T.81, A.3.3, with fewer terms).
    ///
    /// - Parameters:
    ///   - coefficients: of the picture, as coded.
    ///   - steps: of the quantisation, of the mean and the details of 1, 2 and 4 in zigzag order.
    ///   - width: samples of a row, at most as many as the blocks have; and so `height`.
    /// - Returns: `nil` for coefficients that no picture has.
    func samples(_ coefficients: [Int16], steps: [Int], width: Int, height: Int) -> [UInt8]? {
        var samples = [UInt8](repeating: 0, count: width * height)
        var target = samples.mutableSpan
        let source = coefficients.span
        var seen = SIMD4<Int16>()
        for row in 0..<(height + side - 1) / side {
            let blocks = coefficient(ofBlock: 0, inRow: row)
            if side == 1 {
                for column in 0..<width {
                    let mean = source[blocks + column]
                    seen.x |= Self.magnitude(mean)
                    target[row * width + column] = Self.sample(Int(mean) * steps[0])
                }
            } else {
                let hasLower = 2 * row + 1 < height
                for column in 0..<(width + 1) / 2 {
                    let block = blocks + 4 * column
                    let coded = SIMD4(source[block], source[block + 1], source[block + 2], source[block + 3])
                    seen |= SIMD4(
                        Self.magnitude(coded.x), Self.magnitude(coded.y), Self.magnitude(coded.z),
                        Self.magnitude(coded.w))
                    let mean = Int(coded.x) * steps[0]
                    let across = Int(coded.y) * steps[1]
                    let down = Int(coded.z) * steps[2]
                    let both = Int(coded.w) * steps[3]
                    let hasRight = 2 * column + 1 < width
                    let place = 2 * (row * width + column)
                    target[place] = Self.sample(mean + across + down + both)
                    if hasRight { target[place + 1] = Self.sample(mean - across + down - both) }
                    if hasLower { target[place + width] = Self.sample(mean + across - down - both) }
                    if hasRight, hasLower { target[place + width + 1] = Self.sample(mean - across - down + both) }
                }
            }
        }
        let isPossible = steps.indices.allSatisfy { Int(seen[$0]) * steps[$0] <= Self.mostCoefficient }
        return isPossible ? samples : nil
    }

    /// A number's distance from zero, or one less: laid over each other, they are no less than the largest.
    private static func magnitude(_ number: Int16) -> Int16 { number ^ (number >> 15) }

    /// Those of eight bits a sample go to 1,024, and a coarse step may double them. Decoders keep 16 bits of what is more.
    private static let mostCoefficient = 16_384

    /// Of eight times its level, around the middle.
    private static func sample(_ value: Int) -> UInt8 { UInt8(clamping: (value + 4) >> 3 + 128) }
}
