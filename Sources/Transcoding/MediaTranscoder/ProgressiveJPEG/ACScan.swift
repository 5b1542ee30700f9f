/// A scan of the first bits of one component's AC coefficients (ITU-T T.81, G.1.2.2).
///
/// The scan codes runs of zeros, each with its last coefficient, and runs of blocks without further ones (end of band).
struct ACScan {
    let head: ScanHeader
    let table: ValueTable
    let plane: BlockPlane
    /// The number of blocks between two restart markers; 0 if there are no markers.
    let restartInterval: Int

    /// Reads the scan into the coefficients.
    ///
    /// - Returns: `false` if the data is damaged.
    func read(into coefficients: inout [Int16], from bytes: Span<UInt8>, at range: Range<Int>) -> Bool {
        var bits = BitReader(range)
        var coefficients = coefficients.mutableSpan
        var emptyBlocks = 0
        var (restarts, untilRestart) = (0, restartInterval > 0 ? restartInterval : Int.max)
        for row in 0..<plane.height {
            var column = 0
            while column < plane.width {
                if untilRestart == 0 {
                    guard bits.restart(restarts & 7, bytes) else { return false }
                    restarts += 1
                    (emptyBlocks, untilRestart) = (0, restartInterval)
                }
                let passed = min(emptyBlocks, plane.width - column, untilRestart)
                if passed > 0 {
                    column += passed
                    emptyBlocks -= passed
                    untilRestart -= passed
                    continue
                }
                let block = plane.coefficient(ofBlock: column, inRow: row)
                guard let empty = readBlock(at: block, of: &coefficients, &bits, bytes) else { return false }
                emptyBlocks = empty
                column += 1
                untilRestart -= 1
            }
        }
        return !bits.isOverdrawn
    }

    /// Reads the coefficients of one block.
    ///
    /// - Returns: The number of blocks after it that have no coefficients in the band; `nil` if the data is damaged.
    @inline(__always)
    private func readBlock(
        at block: Int, of coefficients: inout MutableSpan<Int16>, _ bits: inout BitReader, _ bytes: Span<UInt8>
    ) -> Int? {
        var place = head.spectrum.lowerBound
        while place <= head.spectrum.upperBound {
            bits.fill(bytes)
            let value: Int
            if let number = table.number(bits.next(ValueTable.quickBits)) {
                bits.drop(number.length)
                place &+= number.run
                value = number.value
            } else {
                guard let symbol = bits.symbol(table.codes) else { return nil }
                let (run, size) = (symbol >> 4, symbol & 15)
                if size == 0, run == 15 {
                    place += 16
                    // A nonzero coefficient follows after sixteen zeros.
                    guard place <= head.spectrum.upperBound else { return nil }
                    continue
                }
                if size == 0 { return run == 0 ? 0 : 1 << run - 1 + bits.take(run) }
                place &+= run
                value = bits.number(size)
            }
            guard place <= head.spectrum.upperBound else { return nil }
            // Only the coefficients 1, 2 and 4 in zigzag order are stored.
            if place <= 4, place != 3 {
                coefficients[block + min(place, 3)] = Int16(truncatingIfNeeded: value &<< head.missingBits)
            }
            place &+= 1
        }
        return 0
    }
}
