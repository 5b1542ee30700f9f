/// A scan that is read to find its damage. It is a sequential scan (ITU-T T.81, F.2.2), or the first scan of DC
/// coefficients of a progressive image. If the scan has restart markers, damage ends at the next restart marker.
struct IntactScan {
    /// A component of the scan.
    struct Part {
        let plane: BlockPlane
        let dc: HuffmanTable
        /// The table of AC coefficients; `nil` for a scan without them.
        let ac: HuffmanTable?
    }

    let parts: [Part]
    /// The number of MCUs between two restart markers; 0 if there are no markers.
    let restartInterval: Int

    /// Counts the rows of MCUs.
    ///
    /// - Returns: `intact`, the number of rows without damage, and `end`, the number of rows before the data ends.
    func rows(in bytes: Span<UInt8>, at range: Range<Int>) -> (intact: Int, end: Int) {
        var bits = BitReader(range)
        let first = parts[0].plane
        let (down, across) = parts.count == 1 ? (first.height, first.width) : (first.mcusDown, first.mcusAcross)
        let count = down * across
        let interval = restartInterval > 0 ? restartInterval : count
        var isDamaged = [Bool](repeating: false, count: down)
        // The index after the last MCU that was read.
        var end = 0
        for start in stride(from: 0, to: count, by: interval) {
            let mcus = start..<min(start + interval, count)
            let number = (start / interval - 1) & 7
            let isThere = start == 0 || bits.restart(number, bytes) || bits.resynchronise(number, bytes)
            let read = isThere ? readMCUs(mcus.count, &bits, bytes) : 0
            if read > 0 { end = start + read }
            if read < mcus.count {
                for row in (start + read) / across...(mcus.upperBound - 1) / across { isDamaged[row] = true }
                if bits.isAtEnd { break }
            }
        }
        let rows = end == count ? down : end / across
        return (isDamaged.prefix(rows).count { !$0 }, rows)
    }

    /// Reads MCUs up to the first damage.
    ///
    /// - Returns: The number of MCUs before the damage.
    private func readMCUs(_ count: Int, _ bits: inout BitReader, _ bytes: Span<UInt8>) -> Int {
        let isAlone = parts.count == 1
        for mcu in 0..<count {
            for part in parts {
                for _ in 0..<(isAlone ? 1 : part.plane.mcuWidth * part.plane.mcuHeight) {
                    guard Self.readBlock(part, &bits, bytes) else { return mcu }
                }
            }
            if bits.isOverdrawn { return mcu }
        }
        return count
    }

    /// Reads the codes of one block.
    ///
    /// - Returns: `false` if the data is damaged.
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
                // The symbol stands for the end of the block, or for sixteen zeros.
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
