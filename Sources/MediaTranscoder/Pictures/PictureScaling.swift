import CFFmpeg
import TranscodeProtocol

/// Brings a decoded picture to a size and to one of the layouts of `ScaledPicture`.
enum PictureScaling {
    /// Rows that are converted at a time: small enough for the cache, and for a large picture's memory.
    private static let stripRows = 64

    /// - Parameters:
    ///   - size: as stored, not larger than the picture.
    ///   - sampleAspect: ignored; the size says it.
    static func scale(_ source: borrowing Frame, to size: PixelSize) throws(TranscodeFailure) -> ScaledPicture {
        let format = source.pixelFormat
        let scaled: ScaledPicture
        if format.isColorDifference {
            scaled = try scaleDirectly(source, to: size, format: AV_PIX_FMT_YUVJ420P)
        } else if format.isGrey {
            scaled = try scaleDirectly(source, to: size, format: AV_PIX_FMT_GRAY8)
        } else if format.verticalChromaShift > 0 || size == PixelSize(source.width, source.height) {
            // Rows of halved colour differences need their neighbours, so these are not cut in strips.
            scaled = try scaleWhole(source, to: size, format: layout(of: format))
        } else {
            scaled = try scaleInStrips(source, to: size, format: layout(of: format))
        }
        try scaled.frame.copyColorProfile(from: source)
        return scaled
    }

    private static func layout(of format: PixelFormat) -> AVPixelFormat {
        format.hasAlpha ? AV_PIX_FMT_GBRAP : AV_PIX_FMT_GBRP
    }

    private static func scaleDirectly(
        _ source: borrowing Frame, to size: PixelSize, format: AVPixelFormat
    ) throws(TranscodeFailure) -> ScaledPicture {
        let target = try Frame.allocate(width: size.width, height: size.height, format: format)
        let scaler = try Scaler.make(
            from: source.shape, to: .init(width: size.width, height: size.height, format: format), quality: .still)
        try scaler.scale(source, into: target)
        return ScaledPicture(frame: target)
    }

    private static func scaleWhole(
        _ source: borrowing Frame, to size: PixelSize, format: AVPixelFormat
    ) throws(TranscodeFailure) -> ScaledPicture {
        let planar = try Frame.allocate(width: source.width, height: source.height, format: format)
        let converter = try Scaler.make(
            from: source.shape, to: .init(width: source.width, height: source.height, format: format), quality: .still)
        try converter.scale(source, into: planar)
        AlphaPlanes.multiply(planar)
        let picture = ScaledPicture(frame: planar)
        return size == picture.size ? picture : try picture.reduced(to: size)
    }

    private static func scaleInStrips(
        _ source: borrowing Frame, to size: PixelSize, format: AVPixelFormat
    ) throws(TranscodeFailure) -> ScaledPicture {
        let rows = min(stripRows, source.height)
        var stripShape = source.shape
        stripShape.height = rows
        let strip = try Frame.allocate(width: source.width, height: rows, format: format)
        let target = try Frame.allocate(width: size.width, height: size.height, format: format)
        let converter = try Scaler.make(
            from: stripShape, to: .init(width: source.width, height: rows, format: format), quality: .still)
        let planewise = planewise(format)
        let scaler = try Scaler.make(
            from: .init(width: source.width, height: source.height, format: planewise),
            to: .init(width: size.width, height: size.height, format: planewise), quality: .still)
        var row = 0
        while row < source.height {
            let next = min(row + rows, source.height)
            try converter.convert(source, rows: row..<next, into: strip)
            AlphaPlanes.multiply(strip)
            try scaler.scale(strip: strip, rows: row..<next, into: target)
            row = next
        }
        return ScaledPicture(frame: target)
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
