import Base
import CFFmpeg
import TranscodeProtocol

/// The scaling of a decoded image, and its conversion to one of the layouts of `ScaledImage`.
enum ImageScaling {
    /// The number of rows that are converted at a time. They fit the cache, and limit the memory for a large image.
    private static let stripRows = 64

    /// Scales an image, which keeps its profile.
    ///
    /// - Parameter size: The size as stored. It is not larger than the image.
    static func scale(_ source: borrowing Frame, to size: PixelSize) throws(TranscodeFailure) -> ScaledImage {
        let format = source.pixelFormat
        let scaled: ScaledImage
        if let transfer = source.hdrTransfer, !format.hasAlpha {
            return try ToneMapping.scale(source, transfer, to: size)
        } else if format.isColorDifference {
            scaled = try scaleDirectly(source, to: size, format: AV_PIX_FMT_YUVJ420P)
        } else if format.isGray {
            scaled = try scaleDirectly(source, to: size, format: AV_PIX_FMT_GRAY8)
        } else if format.verticalChromaShift > 0 || boxFactor(from: source, to: size) == 1 {
            // Rows of halved chroma need their neighbors, so such images are not split into strips.
            scaled = try scaleWhole(source, to: size, format: layout(of: format))
        } else {
            scaled = try scaleInStrips(source, to: size, format: layout(of: format))
        }
        try scaled.frame.copyColorProfile(from: source)
        return scaled
    }

    /// Returns the integer factor by which an image is first shrunk, to at least twice the wanted size.
    private static func boxFactor(from source: borrowing Frame, to size: PixelSize) -> Int {
        max(1, min(source.width / (2 * size.width), source.height / (2 * size.height)))
    }

    private static func layout(of format: PixelFormat) -> AVPixelFormat {
        format.hasAlpha ? AV_PIX_FMT_GBRAP : AV_PIX_FMT_GBRP
    }

    private static func scaleDirectly(
        _ source: borrowing Frame, to size: PixelSize, format: AVPixelFormat
    ) throws(TranscodeFailure) -> ScaledImage {
        let wanted = Scaler.Shape(width: size.width, height: size.height, format: format)
        // swscale uses RGB to change the color matrix. This conversion is cheap only after the image is small.
        var scaledShape = wanted
        scaledShape.matrix = source.shape.matrix
        let scaled = try Frame.allocate(width: size.width, height: size.height, format: format)
        try Scaler.make(from: source.shape, to: scaledShape, quality: .still).scale(source, into: scaled)
        guard scaledShape != wanted else { return ScaledImage(frame: scaled) }
        let converted = try Frame.allocate(width: size.width, height: size.height, format: format)
        try Scaler.make(from: scaledShape, to: wanted, quality: .still).scale(scaled, into: converted)
        return ScaledImage(frame: converted)
    }

    private static func scaleWhole(
        _ source: borrowing Frame, to size: PixelSize, format: AVPixelFormat
    ) throws(TranscodeFailure) -> ScaledImage {
        let planar = try Frame.allocate(width: source.width, height: source.height, format: format)
        let converter = try Scaler.make(
            from: source.shape, to: .init(width: source.width, height: source.height, format: format), quality: .still)
        try converter.scale(source, into: planar)
        // The alpha of most images is fully opaque. Without the alpha plane, a quarter less data has to be scaled.
        if AlphaPlanes.isOpaque(planar) { planar.leaveOutAlpha() } else { AlphaPlanes.multiply(planar) }
        let image = ScaledImage(frame: planar)
        return size == image.size ? image : try image.reduced(to: size)
    }

    /// Converts and shrinks strip by strip, to at least twice the wanted size. One sharp scaling follows.
    private static func scaleInStrips(
        _ source: borrowing Frame, to size: PixelSize, format: AVPixelFormat
    ) throws(TranscodeFailure) -> ScaledImage {
        let factor = boxFactor(from: source, to: size)
        let rows = min(source.height, max(stripRows / factor, 1) * factor)
        let strip = try Frame.allocate(width: source.width, height: rows, format: format)
        let shrunk = try Frame.allocate(
            width: BoxDownscale.count(source.width, by: factor),
            height: BoxDownscale.count(source.height, by: factor), format: format)
        var stripShape = source.shape
        stripShape.height = rows
        let converter = try Scaler.make(
            from: stripShape, to: .init(width: source.width, height: rows, format: format), quality: .still)
        var row = 0
        while row < source.height {
            // The last strip starts earlier, so that the converter always gets the number of rows that it was made for.
            let start = min(row, source.height - rows)
            try converter.convert(source, rows: start..<start + rows, into: strip)
            AlphaPlanes.multiply(strip)
            shrink(strip, rows: row - start..<rows, by: factor, into: shrunk, atRow: row / factor)
            row = start + rows
        }
        return try ScaledImage(frame: shrunk).reduced(to: size)
    }

    private static func shrink(
        _ strip: borrowing Frame, rows: Range<Int>, by factor: Int, into target: borrowing Frame, atRow firstRow: Int
    ) {
        let width = strip.width
        for plane in 0..<4 {
            let stride = strip.stride(plane)
            let targetStride = target.stride(plane)
            strip.withPlane(plane) { source in
                guard !source.isEmpty else { return }
                target.withMutablePlane(plane) { shrunk in
                    var targetRow = firstRow
                    for row in Swift.stride(from: rows.lowerBound, to: rows.upperBound, by: factor) {
                        BoxDownscale.shrink(
                            source, width: width, rows: row..<min(row + factor, rows.upperBound), stride: stride,
                            by: factor, into: &shrunk, at: targetRow * targetStride)
                        targetRow += 1
                    }
                }
            }
        }
    }

    /// Returns the format with which swscale scales each plane separately. swscale would convert RGB planes to luma and
    /// chroma and back, with a small loss. It scales YUV planes as they are.
    static func planewise(_ format: AVPixelFormat) -> AVPixelFormat {
        switch format {
        case AV_PIX_FMT_GBRP: AV_PIX_FMT_YUVJ444P
        case AV_PIX_FMT_GBRAP: AV_PIX_FMT_YUVA444P
        default: format
        }
    }
}

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
