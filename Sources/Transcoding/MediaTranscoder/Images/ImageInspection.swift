import Base
import CFFmpeg
import MediaHeaders
import TranscodeProtocol

/// The check of an image's headers before anything is decoded.
enum ImageInspection {
    /// The longest side of an image, in pixels, which is also the limit of JPEG and GIF. The tables of a scaler grow
    /// with the side. For an image of 1 × 1,000,000 pixels they took 180 MB.
    private static let maxSide = 65_535

    /// Returns the facts about an image.
    ///
    /// - Parameter takesDamaged: Whether a JPEG, PNG or GIF may be cut.
    /// - Throws: `corrupt` for contradictory headers and for files that are cut. `tooManyPixels` and `tooLarge` beyond
    ///   the limits. `unsupported` for variants that no decoder here reads correctly.
    static func inspect(
        _ bytes: Span<UInt8>, as format: MediaFormat, limits: DecodeLimits, takesDamaged: Bool = false
    ) throws(TranscodeFailure) -> ImageFacts {
        let facts =
            try takesDamaged
            ? damagedFacts(bytes, as: format, limits: limits) : facts(bytes, as: format, limits: limits)
        guard facts.size.longestSide <= maxSide else {
            throw tooManyPixels("a side", facts.size.width, facts.size.height)
        }
        guard facts.memory.bytes(halvings: format == .jpeg ? 3 : 0) <= DecodeMemory.maxBytes else {
            throw .tooManyPixels("\(facts.codedSize) are more than a worker can decode")
        }
        return facts
    }

    private static func facts(
        _ bytes: Span<UInt8>, as format: MediaFormat, limits: DecodeLimits
    ) throws(TranscodeFailure) -> ImageFacts {
        switch format {
        case .jpeg: try judge(walk("JPEG", JPEGHeader(bytes)), limits: limits)
        case .png: try judge(walk("PNG", PNGHeader(bytes)), limits: limits)
        case .gif:
            try judge(
                walk(
                    "GIF",
                    GIFHeader(
                        bytes, maxFrames: Int(limits.frames),
                        maxMilliseconds: Int(clamping: limits.durationMilliseconds))), limits: limits)
        case .webp: try judge(walk("WebP", WebPHeader(bytes)), limits: limits)
        case .heic, .avif: try judge(walk("HEIF", HEIFHeader(bytes)), limits: limits)
        case .bmp: try judge(walk("BMP", BMPHeader(bytes)), limits: limits)
        case .tiff: try judge(TIFFLayout(TIFFFile.open(bytes)), limits: limits)
        case .ico: try judge(walk("ICO", ICOHeader(bytes)), bytes, limits: limits)
        default: throw .internalFault("\(format) is not an image")
        }
    }

    static func walk<Header>(
        _ name: StaticString, _ header: @autoclosure () throws(MediaHeaderError) -> Header
    ) throws(TranscodeFailure) -> Header {
        do throws(MediaHeaderError) {
            return try header()
        } catch {
            // The text of an unsupported feature names the feature.
            if case .unsupported = error { throw .unsupported(error.detail) }
            throw .corrupt("\(name): \(error.detail)")
        }
    }

    static func judge(
        _ header: JPEGHeader, limits: DecodeLimits, takesCut: Bool = false
    ) throws(TranscodeFailure) -> ImageFacts {
        guard header.isComplete || takesCut else { throw .corrupt("JPEG: cut, no end marker") }
        guard header.process != .other else { throw .unsupported("JPEG: lossless or hierarchical coding") }
        guard header.bitDepth == 8 else { throw .unsupported("JPEG: \(header.bitDepth) bits a sample") }
        guard UInt64(header.pixels) <= limits.scalablePixels else {
            throw tooManyPixels("JPEG", header.width, header.height)
        }
        guard header.scanCount <= Int(limits.scans) else { throw .tooManyPixels("JPEG: \(header.scanCount) scans") }
        return ImageFacts(
            format: .jpeg, codec: AV_CODEC_ID_MJPEG, size: PixelSize(header.width, header.height),
            orientation: header.orientation, frames: 1, memory: DecodeMemory(header),
            kept: header.isShownEverywhere ? header.kept : nil, decoded: header.kept.ranges,
            endsOfScans: header.isShownEverywhere && header.hasPlainSampling
                ? [1, 2, 3].reduce(into: [:]) { $0[$1] = header.endOfScans(forHalvings: $1) } : [:],
            jpeg: header, colorProfile: header.colorProfile)
    }

    static func judge(
        _ header: PNGHeader, limits: DecodeLimits, takesCut: Bool = false
    ) throws(TranscodeFailure) -> ImageFacts {
        guard header.isComplete || takesCut else { throw .corrupt("PNG: cut, no end chunk") }
        try check(header.decodedBytes, limits, "PNG", header.width, header.height)
        // An animation whose control chunks contradict each other cannot be transcoded.
        let isConsistent = header.isAnimated && header.times.count == header.frameCount
        var facts = ImageFacts(
            format: .png, codec: AV_CODEC_ID_PNG, size: PixelSize(header.width, header.height),
            orientation: header.orientation, frames: max(1, header.times.count), plays: header.plays,
            memory: DecodeMemory(header), kept: header.kept, decoded: header.kept.ranges, png: header)
        if isConsistent { return animated(facts, header.times, memory: DecodeMemory(frames: header), limits: limits) }
        if facts.frames > Int(limits.frames) { (facts.frames, facts.kept) = (1, nil) }
        return facts
    }

    static func judge(
        _ header: GIFHeader, limits: DecodeLimits, takesCut: Bool = false
    ) throws(TranscodeFailure) -> ImageFacts {
        guard header.isComplete || takesCut else { throw .corrupt("GIF: cut within a block") }
        try check(header.decodedBytes, limits, "GIF", header.decodedWidth, header.decodedHeight)
        return ImageFacts(
            format: .gif, codec: AV_CODEC_ID_GIF, size: PixelSize(header.width, header.height), orientation: .upright,
            frames: header.frameCount, delays: header.isAnimated ? header.delays : [], plays: header.plays,
            sourceFrames: header.sourceFrameCount > header.frameCount ? header.sourceFrameCount : nil,
            memory: DecodeMemory(header),
            durationMilliseconds: header.isAnimated ? header.durationMilliseconds : nil,
            kept: header.kept, isPartlyUncovered: header.isPartlyUncovered, isEmpty: header.isEmpty,
            decodedScreen: header.hasLargeFrame ? PixelSize(header.decodedWidth, header.decodedHeight) : nil)
    }

    /// Checks the number of bytes of the decoded image.
    static func check(
        _ decodedBytes: Int, _ limits: DecodeLimits, _ name: StaticString, _ width: Int, _ height: Int
    ) throws(TranscodeFailure) {
        guard UInt64(decodedBytes) <= limits.decodedBytes else { throw tooManyPixels(name, width, height) }
    }

    static func tooManyPixels(_ name: StaticString, _ width: Int, _ height: Int) -> TranscodeFailure {
        .tooManyPixels("\(name): \(width) x \(height) pixels")
    }
}

extension JPEGHeader {
    /// Whether the image has three colors or gray, in a coding that every phone and browser reads.
    fileprivate var isShownEverywhere: Bool {
        components.count < 4 && (process == .baseline || process == .extended || process == .progressive)
    }
}
