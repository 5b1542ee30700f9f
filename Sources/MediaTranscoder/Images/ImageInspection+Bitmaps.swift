import CFFmpeg
import MediaHeaders
import TranscodeProtocol

extension ImageInspection {
    static func judge(_ header: BMPHeader, limits: DecodeLimits) throws(TranscodeFailure) -> ImageFacts {
        guard header.isComplete else { throw TranscodeFailure(.corrupt, "BMP: cut") }
        guard UInt64(header.decodedBytes) <= limits.decodedBytes else {
            throw tooManyPixels("BMP", header.width, header.height)
        }
        let alpha = header.hasAlpha || header.masks != nil ? ImageFacts.AlphaMeaning.coverage : .meansNothing
        return ImageFacts(
            format: .bmp, codec: AV_CODEC_ID_BMP, size: PixelSize(header.width, header.height), orientation: .upright,
            frames: 1,
            memory: DecodeMemory(
                decodedBytes: header.decodedBytes, pixels: header.bitDepth == 32 ? header.width * header.height : 0,
                alpha: alpha),
            maskedBitmap: header.masks == nil ? nil : header, alpha: alpha,
            colorProfile: header.profile.map { [$0] } ?? [])
    }

    static func judge(_ header: TIFFHeader, limits: DecodeLimits) throws(TranscodeFailure) -> ImageFacts {
        guard header.isComplete else { throw TranscodeFailure(.corrupt, "TIFF: cut") }
        guard UInt64(header.decodedBytes) <= limits.decodedBytes else {
            throw TranscodeFailure(.tooManyPixels, "TIFF: \(header.codedSize)")
        }
        var alpha: ImageFacts.AlphaMeaning =
            switch header.alpha {
            case .unassociated: .coverage
            case .associated: .isMultipliedIn
            case .none, .unspecified: .meansNothing
            }
        // Inks are divided by their alpha before they become red, green and blue.
        if header.colorModel == .cmyk { alpha = .coverage }
        return ImageFacts(
            format: .tiff, codec: AV_CODEC_ID_TIFF, size: PixelSize(header.width, header.height),
            orientation: header.orientation, frames: 1,
            memory: DecodeMemory(
                decodedBytes: header.decodedBytes.addedOrMax(header.partBytes),
                pixels: header.alpha == .none ? 0 : header.width * header.height,
                alpha: alpha),
            tiff: header.partFile == nil ? nil : header, alpha: alpha,
            colorProfile: header.profile.map { [$0] } ?? [])
    }

    /// The best of an icon's pictures: a PNG, whose ranges then count from the icon's beginning, or a bitmap.
    static func judge(
        _ header: ICOHeader, _ bytes: Span<UInt8>, limits: DecodeLimits
    ) throws(TranscodeFailure) -> ImageFacts {
        guard header.isComplete else { throw TranscodeFailure(.corrupt, "ICO: cut") }
        guard UInt64(header.decodedBytes) <= limits.decodedBytes else {
            throw tooManyPixels("ICO", header.width, header.height)
        }
        let best = header.best
        switch best.content {
        case .bitmap(let bitmap):
            return ImageFacts(
                format: .ico, codec: AV_CODEC_ID_NONE, size: PixelSize(bitmap.width, bitmap.height),
                orientation: .upright, frames: 1, memory: DecodeMemory(decodedBytes: header.decodedBytes), icon: bitmap)
        case .png:
            guard best.range.upperBound <= bytes.count else { throw TranscodeFailure(.corrupt, "ICO: cut") }
            let part = bytes.extracting(best.range)
            let picture = try walk("ICO") { () throws(MediaHeaderError) in try PNGHeader(part) }
            var facts = try judge(picture, limits: limits)
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
