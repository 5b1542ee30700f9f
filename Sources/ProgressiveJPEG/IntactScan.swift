/// A scan that is read up to its first damage: a sequential one (ITU-T T.81, F.2.2), or the first one of DC coefficients
/// of a progressive picture.
struct IntactScan {
    /// One component of the scan.
    struct Part {
        let plane: BlockPlane
        let dc: HuffmanTable
        /// `nil` for a scan without AC coefficients.
        let ac: HuffmanTable?
    }

    let parts: [Part]
    /// MCUs between two restart markers; 0 for none.
    let restartInterval: Int

    /// Returns the number of rows of MCUs before the first damage.
    func rowCount(in bytes: Span<UInt8>, at range: Range<Int>) -> Int {
        var bits = BitReader(range)
        let isAlone = parts.count == 1
        let first = parts[0].plane
        let (down, across) = isAlone ? (first.height, first.width) : (first.mcusDown, first.mcusAcross)
        var mcu = 0
        for row in 0..<down {
            for _ in 0..<across {
                if restartInterval > 0, mcu > 0, mcu % restartInterval == 0 {
                    guard bits.restart((mcu / restartInterval - 1) & 7, bytes) else { return row }
                }
                mcu += 1
                for part in parts {
                    for _ in 0..<(isAlone ? 1 : part.plane.mcuWidth * part.plane.mcuHeight) {
                        guard Self.readBlock(part, &bits, bytes) else { return row }
                    }
                }
            }
            if bits.isOverdrawn { return row }
        }
        return down
    }

    /// - Returns: `false` for damage.
    private static func readBlock(_ part: Part, _ bits: inout BitReader, _ bytes: Span<UInt8>) -> Bool {
        bits.fill(bytes)
        guard let size = bits.symbol(part.dc), size <= 15 else { return false }
        bits.drop(size)
        guard let table = part.ac else { return true }
        var place = 1
        while place < 64 {
            bits.fill(bytes)
            guard let symbol = bits.symbol(table) else { return false }
            let (run, size) = (symbol >> 4, symbol & 15)
            if size == 0 {
                // The end of the block, or sixteen zeros.
                guard run == 15 else { return true }
                place += 16
                continue
            }
            place += run
            guard place < 64 else { return false }
            bits.drop(size)
            place += 1
        }
        return place == 64
    }
}
