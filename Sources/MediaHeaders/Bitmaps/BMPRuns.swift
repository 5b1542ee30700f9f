/// The run-length codes of a bitmap (Windows SDK, "Bitmap Compression"), walked without drawing.
enum BMPRuns {
    /// Where the codes end: behind an end of bitmap, or behind the last row of a writer that leaves that out. `nil` when
    /// the bytes end first.
    ///
    /// - Parameter hasNibbles: two pixels a byte (BI_RLE4) in place of one (BI_RLE8).
    static func end(of bytes: Span<UInt8>, from start: Int, rows: Int, hasNibbles: Bool) -> Int? {
        var offset = start
        var endedRows = 0
        while let count = bytes.byte(at: offset), let value = bytes.byte(at: offset + 1) {
            offset += 2
            guard count == 0 else { continue }
            switch value {
            case 0: endedRows += 1
            case 1: return offset
            // A step right and up.
            case 2: offset += 2
            // So many pixels as they are, filled to an even number of bytes.
            default:
                let data = hasNibbles ? (Int(value) + 1) / 2 : Int(value)
                offset += (data + 1) / 2 * 2
            }
        }
        return endedRows >= rows && offset <= bytes.count ? offset : nil
    }
}
