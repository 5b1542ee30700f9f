import CFFmpeg
import TranscodeProtocol

/// Brings a decoded picture to a size and to one of the layouts of `ScaledImage`.
enum ImageScaling {
    /// Rows that are converted at a time: small enough for the cache, and for a large picture's memory.
    private static let stripRows = 64

    /// - Parameter size: as stored, not larger than the picture.
    static func scale(_ source: borrowing Frame, to size: PixelSize) throws(TranscodeFailure) -> ScaledImage {
        let format = source.pixelFormat
        let scaled: ScaledImage
        if let transfer = source.hdrTransfer, !format.hasAlpha {
            return try ToneMapping.scale(source, transfer, to: size)
        } else if format.isColorDifference {
            scaled = try scaleDirectly(source, to: size, format: AV_PIX_FMT_YUVJ420P)
        } else if format.isGrey {
            scaled = try scaleDirectly(source, to: size, format: AV_PIX_FMT_GRAY8)
        } else if format.verticalChromaShift > 0 || boxFactor(from: source, to: size) == 1 {
            // Rows of halved colour differences need their neighbours, so these are not cut in strips.
            scaled = try scaleWhole(source, to: size, format: layout(of: format))
        } else {
            scaled = try scaleInStrips(source, to: size, format: layout(of: format))
        }
        try scaled.frame.copyColorProfile(from: source)
        return scaled
    }

    /// By which whole factor a picture is shrunk before its last, sharp scaling: to twice the wanted size at least.
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
        // swscale changes the colour matrix by way of RGB: cheap only after the picture has become small.
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
        // Most pictures with an alpha do not use it: a quarter less to scale.
        if AlphaPlanes.isOpaque(planar) { planar.leaveOutAlpha() } else { AlphaPlanes.multiply(planar) }
        let picture = ScaledImage(frame: planar)
        return size == picture.size ? picture : try picture.reduced(to: size)
    }

    /// Converts strip by strip and shrinks each strip by a whole factor, to at least twice the wanted size; the rest is
    /// one sharp scaling.
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
            // The last strip starts earlier, so that the converter always gets all the rows it was made for.
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

    /// The format under which swscale scales each plane by itself. It would take colour planes through luma and colour
    /// differences and back, and lose a little; named as luma and differences, they are left as they are.
    static func planewise(_ format: AVPixelFormat) -> AVPixelFormat {
        switch format {
        case AV_PIX_FMT_GBRP: AV_PIX_FMT_YUVJ444P
        case AV_PIX_FMT_GBRAP: AV_PIX_FMT_YUVA444P
        default: format
        }
    }
}
