import Base
import CFFmpeg
import MediaHeaders
import TranscodeProtocol

/// The facts about an image that its header states, within the job's limits. The type is the same for all formats.
struct ImageFacts {
    var format: MediaFormat
    var codec: AVCodecID
    /// The size as stored, before the orientation is applied.
    var size: PixelSize
    var orientation = ImageOrientation.upright
    /// The number of frames of an animation, or 1 for a still image.
    var frames = 1
    /// The duration of each of these frames, in milliseconds. Empty if only the first frame can be transcoded.
    var delays: [Int] = []
    /// The number of times that an animation is played; `nil` if it is played without end.
    var plays: Int?
    /// The number of frames of an animation that is limited to its first frames; `nil` for other images.
    var sourceFrames: Int?
    var memory: DecodeMemory
    /// The duration of an animation, in milliseconds; `nil` for a still image.
    var durationMilliseconds: Int?
    /// The file without its metadata, if it may be copied; `nil` if the file must not be copied.
    var kept: RetainedRanges?
    /// The parts of the file that the decoder gets; `nil` for the whole file. None of them is a decompression bomb.
    var decoded: [Range<Int>]?
    /// The positions of the coded images in a HEIC or AVIF file, and their layout; `nil` for all other images.
    var heif: HEIFHeader?
    /// Whether a GIF's frames leave parts of its screen uncovered. These parts are transparent.
    var isPartlyUncovered = false
    /// Whether the first image of a GIF has no pixels, so that the whole screen is transparent.
    var isEmpty = false
    /// The screen with which a GIF is decoded, if a frame is larger than its own screen; `nil` if none is larger.
    var decodedScreen: PixelSize?
    /// The layout of a TIFF's pixels; `nil` for all other images.
    var tiff: TIFFLayout?
    /// The bitmap of an icon; `nil` for an icon that is a PNG, and for all other images.
    var icon: ICOBitmap?
    /// The header of a BMP that is drawn by its masks; `nil` for all other images.
    var maskedBitmap: BMPHeader?
    /// The meaning of the alpha that the decoder returns.
    var alpha = AlphaMeaning.coverage
    /// The offsets in a progressive JPEG after the last scan that decoding needs, by the number of halvings.
    var endsOfScans: [Int: Int] = [:]
    /// The header of a PNG; `nil` for all other images.
    var png: PNGHeader?
    /// The header of a JPEG; `nil` for all other images.
    var jpeg: JPEGHeader?
    /// The positions of the parts of the ICC profile in the file, if the decoder does not return the profile.
    var colorProfile: [Range<Int>] = []

    /// Whether the file is damaged, so that it is shown as far as it can be decoded.
    var isDamaged = false
    /// The number of complete frames of a damaged animation; `nil` for a still image.
    var wholeFrames: Int?

    enum AlphaMeaning {
        /// The alpha states how much of the background each pixel covers. The colors are not multiplied by it.
        case coverage
        case isMultipliedIn
        /// The fourth byte has no meaning, and the image is opaque.
        case meansNothing
    }

    var isAnimated: Bool { frames > 1 }
    var uprightSize: PixelSize { size.turned(orientation) }

    /// Returns whether the file without its metadata meets the rendition spec.
    func fits(_ order: RenditionSpec) -> Bool {
        guard let kept, orientation == .upright, !order.isMask, order.takes(format),
            size.longestSide <= Int(order.imageSide), UInt64(kept.byteCount) <= order.imageBytes
        else { return false }
        return order.role == .attachment || !isAnimated
    }
}

extension RenditionSpec {
    /// Returns whether a file of this format may be copied.
    fileprivate func takes(_ format: MediaFormat) -> Bool {
        format != .webp && format.container != .heic || takesWebAnimations
    }
}

/// A text with the number of pixels that a decoder has to produce, for failures that state this number. A crop, an
/// alpha of another size, or tiles that extend beyond the edge make this number larger than that of the shown image.
extension ImageFacts {
    var codedSize: String {
        if let heif { return heif.codedSize }
        if let tiff { return tiff.codedSize }
        return Self.text(size.width, size.height)
    }

    fileprivate static func text(_ width: Int, _ height: Int) -> String { "\(width) x \(height) pixels" }

    fileprivate static func text(_ width: Int, _ height: Int, tiles: Int, _ tileWidth: Int, _ tileHeight: Int) -> String
    {
        "\(text(width, height)) in \(tiles) \(tiles == 1 ? "tile" : "tiles") of \(tileWidth) x \(tileHeight)"
    }
}

extension HEIFHeader {
    /// The size of the image before its crop and rotation, or that of its alpha if the alpha has more bytes.
    var codedSize: String {
        guard let alpha, alpha.decodedBytes > image.decodedBytes else { return image.codedSize }
        return "an alpha of \(alpha.codedSize)"
    }
}

extension HEIFImage {
    fileprivate var codedSize: String {
        guard (tileWidth, tileHeight) != (width, height) else { return ImageFacts.text(width, height) }
        return ImageFacts.text(width, height, tiles: tiles.count, tileWidth, tileHeight)
    }
}

extension TIFFLayout {
    var codedSize: String {
        guard let tile else { return ImageFacts.text(size.width, size.height) }
        return ImageFacts.text(size.width, size.height, tiles: tileCount, tile.width, tile.height)
    }
}
