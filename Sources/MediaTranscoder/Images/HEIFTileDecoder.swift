import CFFmpeg
import MediaHeaders
import MediaTypes
import TranscodeProtocol

/// A decoder of the coded tiles of one HEIF image. One FFmpeg decoder is used as long as the configuration of the tiles
/// is the same.
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
                guard facts.memory.bytes() <= DecodeMemory.mostBytes else {
                    throw TranscodeFailure(
                        .tooManyPixels, "HEIF: a JPEG of \(facts.codedSize) is more than a worker can decode")
                }
                return try TurboDecoder.make().image(bytes, halvings: 0)
            }
            guard frame.format != PixelFormat.cmyk else {
                throw TranscodeFailure(.unsupported, "HEIF: a JPEG in CMYK")
            }
        case .hevc: frame = try coded(tile, AV_CODEC_ID_HEVC, of: source)
        case .av1: frame = try coded(tile, AV_CODEC_ID_AV1, of: source)
        }
        guard frame.width == image.tileWidth, frame.height == image.tileHeight else {
            throw Self.otherSize
        }
        return frame
    }

    private static let otherSize = TranscodeFailure(
        .corrupt, "HEIF: a coded image does not have the size in the file")

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
                    codec, configuration: tile.configuration, of: source, mostPixels: limits.decodedBytes),
                configuration: tile.configuration)
        }
        let frame = try current.decoder.image(of: Packet.of(source, ranges: tile.extents))
        opened = consume current
        guard frame.pixelFormat.isKnown else { throw TranscodeFailure(.corrupt, "the decoder returned no pixels") }
        return frame
    }
}
