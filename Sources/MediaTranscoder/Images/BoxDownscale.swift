/// Shrinks 8-bit planes by a whole factor: each new sample is the mean of a square of old ones.
///
/// Done before the last, sharp scaling of very large pictures, and while they are converted strip by strip, so that no
/// second full-size picture is ever held. (swscale can scale strips too, but FFmpeg 5.1 crashes when a strip is lower
/// than its filter.)
enum BoxDownscale {
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
        let shrunk = count(width, by: factor)
        guard !rows.isEmpty, rows.lowerBound >= 0, width > 0, stride >= width, start >= 0,
            (rows.upperBound - 1) * stride + width <= source.count, start + shrunk <= target.count
        else { return }
        // Columns of sums are added up row by row, which the compiler turns into vectors; then squares of them.
        var sums = [UInt32](repeating: 0, count: width)
        for row in rows {
            let line = source.extracting(row * stride..<row * stride + width)
            for column in sums.indices { sums[column] &+= UInt32(line[column]) }
        }
        let whole = width / factor
        let area = UInt32(factor * rows.count)
        for column in 0..<whole {
            var sum = area / 2
            for sample in column * factor..<column * factor + factor { sum &+= sums[sample] }
            target[start + column] = UInt8(truncatingIfNeeded: sum / area)
        }
        guard whole < shrunk else { return }
        let rest = sums[(whole * factor)...]
        let lastArea = UInt32(rest.count * rows.count)
        target[start + whole] = UInt8(truncatingIfNeeded: rest.reduce(lastArea / 2, &+) / lastArea)
    }
}
