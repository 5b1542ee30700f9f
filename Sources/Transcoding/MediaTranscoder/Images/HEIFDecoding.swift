import Base
import CFFmpeg
import MediaHeaders
import TranscodeProtocol

/// The decoding of the primary image of a HEIC or AVIF file. The coded items are decoded in turn, joined, cropped and
/// merged with their alpha. FFmpeg 5.1's demuxer reads neither HEIC items nor the grids and properties of AVIF.
enum HEIFDecoding {
    /// Decodes the primary image.
    ///
    /// - Parameter wanted: The largest size that is made from the image, before its orientation is applied. An embedded
    ///   thumbnail that is at least as large as this size is decoded instead of the image.
    /// - Returns: The image, cropped as the file states, but not rotated.
    static func decode(
        _ source: borrowing MappedInput, _ header: HEIFHeader, wanted: PixelSize, limits: DecodeLimits
    ) throws(TranscodeFailure) -> Frame {
        if header.alpha == nil, let thumbnail = header.thumbnail(for: wanted),
            UInt64(thumbnail.decodedBytes) <= limits.decodedBytes,
            let frame = try? whole(thumbnail, source, limits: limits)
        {
            return try cut(frame, to: thumbnail.framing)
        }
        let image = try whole(header.image, source, limits: limits)
        guard let alpha = header.alpha else { return try cut(image, to: header.image.framing) }
        // The image is released before the mask is decoded. Both with their converted forms would need too much memory.
        let joined = try AlphaMerge.planes(of: image)
        try AlphaMerge.lay(whole(alpha, source, limits: limits), over: joined, isPremultiplied: header.isPremultiplied)
        return try cut(joined, to: header.image.framing)
    }

    /// Returns the whole image, with its tiles joined and with the colors that the file names.
    private static func whole(
        _ image: HEIFImage, _ source: borrowing MappedInput, limits: DecodeLimits
    ) throws(TranscodeFailure) -> Frame {
        let frame: Frame
        if image.isGrid {
            frame = try joined(image, source, limits: limits)
        } else {
            var decoder = HEIFTileDecoder(image, limits: limits)
            frame = try decoder.tile(0, of: source)
        }
        guard frame.width == image.width, frame.height == image.height else {
            throw .corrupt("HEIF: the image does not have the size in the file")
        }
        try nameColors(
            of: frame, image, profile: source.withBytes { bytes in image.profile.map { bytes.copy($0) } ?? [] })
        return frame
    }

    /// Converts a decoded frame to full range, and sets the colors that the file names.
    ///
    /// - Parameter profile: The file's ICC profile, or no bytes.
    static func nameColors(of frame: borrowing Frame, _ image: HEIFImage, profile: [UInt8]) throws(TranscodeFailure) {
        if let color = image.color { frame.setColor(color) }
        // Gray HEVC comes from libheif, which writes and shows its samples unchanged, even in files of limited range.
        let isGray = frame.pixelFormat.isGray
        if image.codec != .hevc || !isGray { try frame.spreadLimitedRange() }
        // Images with high dynamic range are tone-mapped instead of getting a profile.
        if frame.hdrTransfer == nil {
            try frame.attachColorProfile(profile)
            try frame.attachProfileOfPrimaries()
        }
    }

    private static func joined(
        _ image: HEIFImage, _ source: borrowing MappedInput, limits: DecodeLimits
    ) throws(TranscodeFailure) -> Frame {
        var decoder = HEIFTileDecoder(image, limits: limits)
        let first = try decoder.tile(0, of: source)
        let canvas = try Frame.allocate(width: image.width, height: image.height, format: first.format)
        try canvas.copyProperties(from: first)
        try canvas.paste(first, x: 0, y: 0)
        for index in image.tiles.indices.dropFirst() {
            let tile = try decoder.tile(index, of: source)
            guard tile.format == canvas.format else { throw .corrupt("HEIF: the tiles are of different kinds") }
            try canvas.paste(
                tile, x: index % image.columns * image.tileWidth, y: index / image.columns * image.tileHeight)
        }
        return canvas
    }

    private static func cut(_ frame: consuming Frame, to framing: ImageFraming) throws(TranscodeFailure) -> Frame {
        let crop = framing.crop
        guard crop.width < frame.width || crop.height < frame.height else { return frame }
        // A crop between two samples of halved chroma needs full chroma.
        let format = frame.pixelFormat
        if crop.x % (1 << format.horizontalChromaShift) + crop.y % (1 << format.verticalChromaShift) > 0 {
            frame = try frame.withFullColorDifferences()
        }
        return try frame.part(columns: crop.x..<crop.x + crop.width, rows: crop.y..<crop.y + crop.height)
    }
}

extension HEIFHeader {
    /// Returns the smallest thumbnail that is large enough, with a tolerance of one pixel for rounding. The thumbnail
    /// has the shape and the orientation of the image. The result is `nil` if no thumbnail fits.
    func thumbnail(for wanted: PixelSize) -> HEIFImage? {
        let shape = Double(image.framing.crop.width) / Double(max(1, image.framing.crop.height))
        return thumbnails.filter { thumbnail in
            let crop = thumbnail.framing.crop
            let isSameShape = abs(Double(crop.width) / Double(max(1, crop.height)) / shape - 1) < 0.02
            return isSameShape && crop.width + 1 >= wanted.width && crop.height + 1 >= wanted.height
                && thumbnail.framing.orientation == image.framing.orientation
        }.min { $0.width < $1.width }
    }
}

/// A decoder of the coded tiles of one HEIF image. Tiles of the same configuration share one FFmpeg decoder.
struct HEIFTileDecoder: ~Copyable {
    private let image: HEIFImage
    private let limits: DecodeLimits
    private var opened: Opened?

    private struct Opened: ~Copyable {
        let decoder: Decoder
        let configuration: Range<Int>?
    }

    init(_ image: HEIFImage, limits: DecodeLimits) {
        self.image = image
        self.limits = limits
    }

    /// Decodes one tile of the image.
    ///
    /// - Throws: `corrupt` also for a tile whose size is not the one that the file states.
    mutating func tile(_ index: Int, of source: borrowing MappedInput) throws(TranscodeFailure) -> Frame {
        let tile = image.tiles[index]
        let frame: Frame
        switch image.codec {
        case .jpeg:
            let packet = try Packet.of(source, ranges: (tile.configuration.map { [$0] } ?? []) + tile.extents)
            frame = try packet.withBytes { bytes throws(TranscodeFailure) in
                let facts = try ImageInspection.inspect(bytes, as: .jpeg, limits: limits)
                guard facts.size == PixelSize(image.tileWidth, image.tileHeight) else { throw Self.otherSize }
                guard facts.memory.bytes() <= DecodeMemory.maxBytes else {
                    throw .tooManyPixels("HEIF: a JPEG of \(facts.codedSize) is more than a worker can decode")
                }
                return try TurboDecoder.make().image(bytes, halvings: 0)
            }
            guard frame.format != PixelFormat.cmyk else { throw .unsupported("HEIF: a JPEG in CMYK") }
        case .hevc: frame = try coded(tile, AV_CODEC_ID_HEVC, of: source)
        case .av1: frame = try coded(tile, AV_CODEC_ID_AV1, of: source)
        }
        guard frame.width == image.tileWidth, frame.height == image.tileHeight else { throw Self.otherSize }
        return frame
    }

    private static let otherSize = TranscodeFailure(.corrupt, "HEIF: a coded image does not have the size in the file")

    private mutating func coded(
        _ tile: HEIFTile, _ codec: AVCodecID, of source: borrowing MappedInput
    ) throws(TranscodeFailure) -> Frame {
        let current: Opened
        if let last = opened.take(), last.configuration == tile.configuration {
            last.decoder.reset()
            current = last
        } else {
            current = Opened(
                decoder: try Decoder.open(
                    codec, configuration: tile.configuration, of: source, maxPixels: limits.decodedBytes),
                configuration: tile.configuration)
        }
        let frame = try current.decoder.image(of: Packet.of(source, ranges: tile.extents))
        opened = consume current
        guard frame.pixelFormat.isKnown else { throw .corrupt("the decoder returned no pixels") }
        return frame
    }
}
