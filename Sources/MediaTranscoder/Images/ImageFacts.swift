import CFFmpeg
import MediaHeaders
import TranscodeProtocol

/// What the header walk says about a picture, in one shape for all formats, and within the job's limits.
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
    /// Frames of an animation that is cut to its first ones; `nil` for others.
    var sourceFrames: Int?
    var memory: DecodeMemory
    /// `nil` for a still.
    var durationMilliseconds: Int?
    /// The file without metadata, where it may be handed on as it is.
    var kept: RetainedRanges?
    /// What the decoder is given: all, or only the parts that it needs (and that cannot be bombs).
    var decoded: [Range<Int>]?
    /// Of HEIC and AVIF: where the coded pictures stand, and how they are put together.
    var heif: HEIFHeader?
    /// Whether a GIF's frames leave parts of its screen uncovered, which are transparent then.
    var isPartlyUncovered = false
    /// The header of a TIFF that is decoded strip by strip or tile by tile; `nil` for all other images.
    var tiff: TIFFHeader?
    /// Of an icon that is no PNG.
    var icon: ICOBitmap?
    /// What the decoder's alpha means.
    var alpha = AlphaMeaning.coverage
    /// Where the scans of a progressive JPEG end that are needed for so many halvings of its sides.
    var endsOfScans: [Int: Int] = [:]
    /// Of a JPEG.
    var jpeg: JPEGHeader?
    /// Where the parts of the ICC profile stand in the file, where no decoder tells of it.
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
