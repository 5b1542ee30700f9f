import Base
import CFFmpeg
import MediaHeaders
import TranscodeProtocol

extension ImageInspection {
    static func judge(_ header: BMPHeader, limits: DecodeLimits) throws(TranscodeFailure) -> ImageFacts {
        guard header.isComplete else { throw .corrupt("BMP: cut") }
        try check(header.decodedBytes, limits, "BMP", header.width, header.height)
        let alpha = header.hasAlpha || header.masks != nil ? ImageFacts.AlphaMeaning.coverage : .meansNothing
        return ImageFacts(
            format: .bmp, codec: AV_CODEC_ID_BMP, size: PixelSize(header.width, header.height),
            memory: DecodeMemory(
                decodedBytes: header.decodedBytes, pixels: header.bitDepth == 32 ? header.width * header.height : 0,
                alpha: alpha),
            maskedBitmap: header.masks == nil ? nil : header, alpha: alpha,
            colorProfile: header.profile.map { [$0] } ?? [])
    }

    /// The largest number of tiles in a TIFF. With 64 × 64 pixels each, 65,536 tiles have 268 megapixels.
    private static let maxTiles = 65_536

    static func judge(_ layout: TIFFLayout, limits: DecodeLimits) throws(TranscodeFailure) -> ImageFacts {
        guard layout.tileCount <= maxTiles else { throw .corrupt("TIFF: \(layout.tileCount) tiles") }
        // FFmpeg allocates no larger image, even with one bit for each pixel (av_image_check_size).
        let isAllocatable =
            (8 * layout.size.width + 1_024).multipliedOrMax(by: layout.size.height + 128) < Int(Int32.max)
        guard isAllocatable, UInt64(layout.decodedBytes) <= limits.decodedBytes else {
            throw .tooManyPixels("TIFF: \(layout.codedSize)")
        }
        // CMYK colors are divided by their alpha before they are converted to RGB.
        let alpha = layout.colors == .inks ? .coverage : layout.alpha ?? .coverage
        return ImageFacts(
            format: .tiff, codec: AV_CODEC_ID_NONE, size: layout.size, orientation: layout.orientation,
            memory: DecodeMemory(
                decodedBytes: layout.decodedBytes.addedOrMax(layout.workingBytes),
                pixels: layout.size.width * layout.size.height, alpha: alpha),
            tiff: layout, alpha: alpha)
    }

    /// Checks the best image of an icon. It is a bitmap, or a PNG whose ranges are moved to the icon's beginning.
    static func judge(
        _ header: ICOHeader, _ bytes: Span<UInt8>, limits: DecodeLimits
    ) throws(TranscodeFailure) -> ImageFacts {
        guard header.isComplete else { throw .corrupt("ICO: cut") }
        try check(header.decodedBytes, limits, "ICO", header.width, header.height)
        let best = header.best
        switch best.content {
        case .bitmap(let bitmap):
            return ImageFacts(
                format: .ico, codec: AV_CODEC_ID_NONE, size: PixelSize(bitmap.width, bitmap.height),
                memory: DecodeMemory(decodedBytes: header.decodedBytes), icon: bitmap)
        case .png:
            guard best.range.upperBound <= bytes.count else { throw .corrupt("ICO: cut") }
            let part = bytes.extracting(best.range)
            let image = try walk("ICO", PNGHeader(part))
            var facts = try judge(image, limits: limits)
            facts.format = .ico
            facts.kept = nil
            facts.frames = 1
            facts.decoded = facts.decoded?.map {
                $0.lowerBound + best.range.lowerBound..<$0.upperBound + best.range.lowerBound
            }
            return facts
        }
    }
}

/// The drawing of bitmaps that FFmpeg's decoders do not read: icons with their masks, and BMPs with rare masks.
enum BitmapDrawing {
    static func decode(_ source: borrowing MappedInput, _ bitmap: ICOBitmap) throws(TranscodeFailure) -> Frame {
        let icon = try source.withBytes { bytes throws(TranscodeFailure) in
            try ImageInspection.walk("ICO", ICOImage(bitmap, of: bytes))
        }
        let frame = try Frame.allocate(width: icon.width, height: icon.height, format: AV_PIX_FMT_RGBA)
        frame.fill(0, with: icon.pixels.span, rowBytes: icon.width * 4)
        return frame
    }

    /// Draws a BMP by its channel masks.
    static func decode(_ source: borrowing MappedInput, _ header: BMPHeader) throws(TranscodeFailure) -> Frame {
        let (width, height) = (header.width, header.height)
        return try source.withBytes { bytes throws(TranscodeFailure) in
            guard let bitmap = MaskedBitmap(header, of: bytes) else { throw .corrupt("BMP: cut") }
            let frame = try Frame.allocate(
                width: width, height: height, format: bitmap.hasAlpha ? AV_PIX_FMT_RGBA : AV_PIX_FMT_RGB24)
            let stride = frame.stride(0)
            frame.withMutablePlane(0) { target in
                for row in 0..<height { bitmap.draw(row: row, of: bytes, into: &target, at: row * stride) }
            }
            return frame
        }
    }
}
