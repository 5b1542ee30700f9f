import Base

/// The facts that the chunks of a PNG or APNG state (PNG, third edition). Nothing is inflated for them.
package struct PNGHeader: Sendable, Equatable {
    /// The maximum compressed size of a color profile that is kept, in bytes. Deflate expands data at most 1,032 times,
    /// so a profile that is a decompression bomb costs less than 17 MB. Real profiles have 0.5 to 4 kB.
    package static let maxProfileBytes = 16_384

    package enum ColorType: UInt8, Sendable, Equatable {
        case gray = 0
        case rgb = 2
        case palette = 3
        case grayAlpha = 4
        case rgba = 6

        package var samples: Int {
            switch self {
            case .gray, .palette: 1
            case .grayAlpha: 2
            case .rgb: 3
            case .rgba: 4
            }
        }
    }

    /// The width of the stored image in pixels, 1…2³¹-1, before orientation.
    package var width: Int
    package var height: Int
    /// The bits of a sample: 1, 2, 4, 8 or 16.
    package var bitDepth: Int
    package var colorType: ColorType
    /// Whether the image has an alpha channel or a transparent color.
    package var hasAlpha: Bool
    /// The number of frames of an APNG, as its control chunks count them; 1 for a still image.
    package var frameCount: Int
    /// The delay of each frame that a control chunk announces; empty for a still image.
    package var times: AnimationTimes
    /// The number of times that an animation is played, 1…2³²-1; `nil` if it is played forever.
    package var plays: Int?
    /// Whether the file has image data and the end chunk.
    package var isComplete: Bool
    package var orientation: ImageOrientation
    /// The colors of the cICP chunk. They override a profile. `nil` if it does not name RGB colors of the full range.
    package var color: CodedColor?
    /// The range of the color profile's chunk; `nil` if no profile is kept.
    package var profile: Range<Int>?
    /// Whether the animation does not contain the default image, which viewers without animations show.
    package var hidesDefaultImage: Bool
    /// The parts of the file without its metadata.
    ///
    /// EXIF, texts, times, and all bytes after the end chunk are removed. Profiles that are too large or unreadable,
    /// and damaged chunks for other color information, are removed too.
    package var kept: RetainedRanges
    /// Whether `kept` leaves out any part of the file.
    package var hasMetadata: Bool

    package var isAnimated: Bool { frameCount > 1 }

    /// The number of bytes of the decoded image in the layout of the decoder.
    package var decodedBytes: Int {
        // A transparent color becomes an alpha channel. Width and height have 31 bits, so the product can overflow.
        let addsAlpha = hasAlpha && (colorType == .gray || colorType == .rgb)
        let perPixel = (colorType.samples + (addsAlpha ? 1 : 0)) * (bitDepth == 16 ? 2 : 1)
        return width.multipliedOrMax(by: height).multipliedOrMax(by: perPixel)
    }
}

extension PNGHeader {
    /// Walks the whole file.
    ///
    /// - Throws: `wrongFormat`, `truncated` inside the first chunk, `malformed`, or `excessive`. A file that ends after
    ///   the first chunk is no error, but `isComplete` is false.
    package init(_ bytes: Span<UInt8>) throws(MediaHeaderError) { self = try PNGWalk.header(of: bytes) }
}

/// The chunks of an animation (PNG, third edition, 11.3.5), checked as libpng does. Damage shows the default image.
struct PNGAnimationChunks {
    static let types: Set<FourCharacterCode> = ["acTL", "fcTL", "fdAT"]

    private(set) var isDamaged = false
    private var hasControl = false
    /// The number that the next control or data chunk of a frame has.
    private var sequence = 0

    /// Reads a chunk of an animation.
    ///
    /// - Parameter follows: Whether the data of the default image comes before the chunk.
    /// - Parameter isIntact: Whether the checksum is right. The data of frames is treated as intact.
    mutating func read(
        _ type: FourCharacterCode, _ body: Span<UInt8>, screen: PixelSize, follows: Bool, isIntact: Bool
    ) {
        guard isIntact, isValid(type, body, screen, follows) else {
            isDamaged = true
            return
        }
        if type == "acTL" { hasControl = true } else { sequence += 1 }
    }

    private func isValid(_ type: FourCharacterCode, _ body: Span<UInt8>, _ screen: PixelSize, _ follows: Bool) -> Bool {
        guard type != "acTL" else {
            return !hasControl && !follows && body.count == 8
                && (1...0x7FFF_FFFF).contains(body.bigEndian32(at: 0) ?? 0)
        }
        guard hasControl, body.bigEndian32(at: 0) == sequence else { return false }
        guard type == "fcTL" else { return true }
        guard body.count == 26, let width = body.bigEndian32(at: 4), let height = body.bigEndian32(at: 8),
            let left = body.bigEndian32(at: 12), let top = body.bigEndian32(at: 16)
        else { return false }
        // The default image is a frame if its control chunk comes first.
        let isWhole = (left, top) == (0, 0) && PixelSize(width: width, height: height) == screen
        return width > 0 && height > 0 && left + width <= screen.width && top + height <= screen.height
            && (follows || isWhole) && body[24] <= 2 && body[25] <= 1
    }
}
