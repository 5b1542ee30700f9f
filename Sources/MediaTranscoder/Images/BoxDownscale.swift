/// The reduction of 8-bit planes by an integer factor. Each new sample is the mean of a square of old samples.
///
/// The reduction runs before the last, sharp scaling of very large images, and on each strip while such an image is
/// converted. A second image of full size is therefore never held. swscale can scale strips too, but FFmpeg 5.1 crashes
/// if a strip has fewer rows than its filter.
enum BoxDownscale {
    /// Returns the number of samples along one side after shrinking. The last one may be the mean of fewer samples.
    static func count(_ samples: Int, by factor: Int) -> Int { (samples + factor - 1) / factor }

    /// Shrinks some rows of a plane to one row.
    ///
    /// - Parameter rows: At most `factor` rows of the source, with `width` samples each and `stride` bytes apart.
    /// - Parameter start: The offset of the new row's first sample in the target.
    static func shrink(
        _ source: Span<UInt8>, width: Int, rows: Range<Int>, stride: Int, by factor: Int,
        into target: inout MutableSpan<UInt8>, at start: Int
    ) {
        let shrunk = count(width, by: factor)
        guard !rows.isEmpty, rows.lowerBound >= 0, width > 0, stride >= width, start >= 0,
            (rows.upperBound - 1) * stride + width <= source.count, start + shrunk <= target.count
        else { return }
        // The rows are first added to column sums, which the compiler vectorizes, and these are added in groups.
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
