/// A scan of the means of blocks (ITU-T T.81, G.1.2.1), of one component or of several in turns.
struct DCScan {
    let head: ScanHeader
    /// Of its components.
    let planes: [BlockPlane]
    /// Units between two restart markers; 0 for none.
    let restartInterval: Int

    /// What each block's mean differs from the one before.
    ///
    /// - Parameter tables: of each component.
    /// - Returns: `false` for damage.
    func read(
        _ tables: [ValueTable], into coefficients: inout [Int16], from bytes: Span<UInt8>, at range: Range<Int>
    ) -> Bool {
        guard tables.count == planes.count else { return false }
        var means = [Int](repeating: 0, count: tables.count)
        return forEachBlock(
            of: &coefficients, bytes, range, restart: { for index in means.indices { means[index] = 0 } },
            { bits, index, coefficient in
                if let number = tables[index].number(bits.next(ValueTable.quickBits)) {
                    bits.drop(number.length)
                    means[index] &+= number.value
                } else {
                    guard let size = bits.symbol(tables[index].codes), size <= 15 else { return false }
                    means[index] &+= bits.number(size)
                }
                coefficient = Int16(truncatingIfNeeded: means[index] &<< head.missingBits)
                return true
            })
    }

    /// One more bit of each mean.
    ///
    /// - Returns: `false` for damage.
    func refine(_ coefficients: inout [Int16], from bytes: Span<UInt8>, at range: Range<Int>) -> Bool {
        forEachBlock(
            of: &coefficients, bytes, range, restart: {},
            { bits, _, coefficient in
                coefficient |= Int16(bits.take(1) << head.missingBits)
                return true
            })
    }

    /// Visits the blocks in the scan's order (A.2), 32 bits filled for each.
    ///
    /// - Parameters:
    ///   - restart: forgets what the blocks before said.
    ///   - body: is given the bits, the component's place in the scan, and the block's mean; `false` ends it.
    @inline(__always)
    private func forEachBlock(
        of coefficients: inout [Int16], _ bytes: Span<UInt8>, _ range: Range<Int>, restart: () -> Void,
        _ body: (inout BitReader, Int, inout Int16) -> Bool
    ) -> Bool {
        var bits = BitReader(range)
        var coefficients = coefficients.mutableSpan
        let isAlone = planes.count == 1
        var unit = 0
        for row in 0..<(isAlone ? planes[0].height : planes[0].unitsDown) {
            for column in 0..<(isAlone ? planes[0].width : planes[0].unitsAcross) {
                if restartInterval > 0, unit > 0, unit % restartInterval == 0 {
                    guard bits.restart((unit / restartInterval - 1) & 7, bytes) else { return false }
                    restart()
                }
                unit += 1
                for (index, plane) in planes.enumerated() {
                    let (wide, high) = isAlone ? (1, 1) : (plane.unitWidth, plane.unitHeight)
                    for blockRow in row * high..<(row + 1) * high {
                        for blockColumn in column * wide..<(column + 1) * wide {
                            bits.fill(bytes)
                            let block = plane.coefficient(ofBlock: blockColumn, inRow: blockRow)
                            guard body(&bits, index, &coefficients[block]) else { return false }
                        }
                    }
                }
            }
        }
        return !bits.isOverdrawn
    }
}
