/// A scan of DC coefficients (ITU-T T.81, G.1.2.1), with one component or several interleaved components.
struct DCScan {
    let head: ScanHeader
    /// The planes of the scan's components, in the order of the scan.
    let planes: [BlockPlane]
    /// The number of MCUs between two restart markers; 0 if there are no markers.
    let restartInterval: Int

    /// Reads the first bits of each DC coefficient, coded as the difference from its component's previous one.
    ///
    /// - Parameter tables: The DC table of each component.
    /// - Returns: `false` if the data is damaged.
    func read(
        _ tables: [ValueTable], into coefficients: inout [Int16], from bytes: Span<UInt8>, at range: Range<Int>
    ) -> Bool {
        guard tables.count == planes.count else { return false }
        var predictions = [Int](repeating: 0, count: tables.count)
        return forEachBlock(
            of: &coefficients, bytes, range, restart: { for index in predictions.indices { predictions[index] = 0 } },
            { bits, index, coefficient in
                if let number = tables[index].number(bits.next(ValueTable.quickBits)) {
                    bits.drop(number.length)
                    predictions[index] &+= number.value
                } else {
                    guard let size = bits.symbol(tables[index].codes), size <= 15 else { return false }
                    predictions[index] &+= bits.number(size)
                }
                coefficient = Int16(truncatingIfNeeded: predictions[index] &<< head.missingBits)
                return true
            })
    }

    /// Reads one more bit of each DC coefficient.
    ///
    /// - Returns: `false` if the data is damaged.
    func refine(_ coefficients: inout [Int16], from bytes: Span<UInt8>, at range: Range<Int>) -> Bool {
        forEachBlock(
            of: &coefficients, bytes, range, restart: {},
            { bits, _, coefficient in
                coefficient |= Int16(bits.take(1) << head.missingBits)
                return true
            })
    }

    /// Calls `body` for each block in the order of the scan (ITU-T T.81, A.2). The reader then has at least 32 bits.
    ///
    /// - Parameter restart: A closure for each restart marker. Later coefficients do not depend on earlier ones.
    /// - Parameter body: A closure that is called with the reader, the component's index in the scan, and the block's
    ///   DC coefficient. The scan ends if the closure returns `false`.
    @inline(__always)
    private func forEachBlock(
        of coefficients: inout [Int16], _ bytes: Span<UInt8>, _ range: Range<Int>, restart: () -> Void,
        _ body: (inout BitReader, Int, inout Int16) -> Bool
    ) -> Bool {
        var bits = BitReader(range)
        var coefficients = coefficients.mutableSpan
        let isAlone = planes.count == 1
        var mcu = 0
        for row in 0..<(isAlone ? planes[0].height : planes[0].mcusDown) {
            for column in 0..<(isAlone ? planes[0].width : planes[0].mcusAcross) {
                if restartInterval > 0, mcu > 0, mcu % restartInterval == 0 {
                    guard bits.restart((mcu / restartInterval - 1) & 7, bytes) else { return false }
                    restart()
                }
                mcu += 1
                for (index, plane) in planes.enumerated() {
                    let (wide, high) = isAlone ? (1, 1) : (plane.mcuWidth, plane.mcuHeight)
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
