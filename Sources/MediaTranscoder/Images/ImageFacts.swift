import CFFmpeg
import MediaHeaders
import TranscodeProtocol

/// The facts about a picture that its header states, in one shape for all formats, and within the job's limits.
struct ImageFacts {
    var format: SourceFormat
    var codec: AVCodecID
    /// As stored, before orientation.
    var size: PixelSize
    var orientation: ImageOrientation
    /// Pictures of an animation, 1 for a still.
    var frames: Int
    /// Milliseconds of each of these frames; none where they cannot be composed, so that only the first one is transcoded.
    var delays: [Int] = []
    /// The number of times that an animation is played; `nil` plays it for ever.
    var plays: Int?
    /// Frames of an animation that is cut to its first ones; `nil` for others.
    var sourceFrames: Int?
    var memory: DecodeMemory
    /// `nil` for a still.
    var durationMilliseconds: Int?
    /// The file without metadata, where it may be handed on as it is.
    var kept: RetainedRanges?
    /// The parts of the file that the decoder gets: all, or only those that it needs (and that cannot be bombs).
    var decoded: [Range<Int>]?
    /// The places of the coded pictures of a HEIC or AVIF, and how they are put together.
    var heif: HEIFHeader?
    /// Whether a GIF's frames leave parts of its screen uncovered, which are transparent then.
    var isPartlyUncovered = false
    /// Whether the picture of a GIF has no pixels at all, so that all of the screen is transparent.
    var isEmpty = false
    /// The screen with which the frames of a GIF are decoded, if one of them is larger than its own; else `nil`.
    var decodedScreen: PixelSize?
    /// How the pixels of a TIFF are laid out; `nil` for all other images.
    var tiff: TIFFLayout?
    /// The bitmap of an icon; `nil` for an icon that is a PNG, and for all other images.
    var icon: ICOBitmap?
    /// The header of a BMP that is drawn by its masks; `nil` for all other images.
    var maskedBitmap: BMPHeader?
    /// The meaning of the decoder's alpha.
    var alpha = AlphaMeaning.coverage
    /// The offset at which the scans of a progressive JPEG end that a number of halvings of its sides needs.
    var endsOfScans: [Int: Int] = [:]
    /// The header of a PNG; `nil` for all other images.
    var png: PNGHeader?
    /// The header of a JPEG; `nil` for all other images.
    var jpeg: JPEGHeader?
    /// The places of the parts of the ICC profile in the file, if no decoder tells of it.
    var colorProfile: [Range<Int>] = []

    /// Whether the file is shown as far as it can be decoded, because it is damaged.
    var isDamaged = false
    /// Whole frames of a damaged animation; `nil` for a still.
    var wholeFrames: Int?

    enum AlphaMeaning {
        /// How much of the background each pixel covers, whose colours are without it.
        case coverage
        case isMultipliedIn
        /// Whatever a fourth byte holds, the picture is opaque.
        case meansNothing
    }

    var isAnimated: Bool { frames > 1 }
    var uprightSize: PixelSize { size.turned(orientation) }

    /// Whether the file without its metadata is already what the order asks for.
    func fits(_ order: RenditionSpec) -> Bool {
        guard let kept, orientation == .upright, !order.isMask, order.takes(format),
            size.longestSide <= Int(order.pictureSide),
            UInt64(kept.byteCount) <= order.pictureBytes
        else { return false }
        return order.role == .attachment || !isAnimated
    }
}

extension RenditionSpec {
    /// Whether a file of this format may be passed as it is.
    fileprivate func takes(_ format: SourceFormat) -> Bool {
        format != .webp && format != .heif || takesWebAnimations
    }
}
