/// Shrinks 8-bit planes by a whole factor: each new sample is the mean of a square of old ones.
///
/// Done before the last, sharp scaling of very large pictures, and while they are converted strip by strip, so that no
/// second full-size picture is ever held. (swscale can scale strips too, but FFmpeg 5.1 crashes when a strip is lower
/// than its filter.)
enum BoxShrinking {
    /// Samples along a direction after shrinking; the last one may be the mean of fewer.
    static func count(_ samples: Int, by factor: Int) -> Int {
        (samples + factor - 1) / factor
    }

    /// Shrinks some rows of a plane into one row.
    ///
    /// - Parameters:
    ///   - rows: at most `factor` rows of the source, which are `stride` bytes apart and `width` samples wide.
    ///   - start: offset of the new row's first sample in the target.
    static func shrink(
        _ source: Span<UInt8>, width: Int, rows: Range<Int>, stride: Int, by factor: Int,
        into target: inout MutableSpan<UInt8>, at start: Int
    ) {
        for column in 0..<count(width, by: factor) {
            let columns = column * factor..<min(width, (column + 1) * factor)
            var sum = 0
            for row in rows {
                let offset = row * stride
                for sample in columns { sum += Int(source[offset + sample]) }
            }
            let area = columns.count * rows.count
            target[start + column] = UInt8(truncatingIfNeeded: (sum + area / 2) / max(1, area))
        }
    }
}
