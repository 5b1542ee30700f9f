/// The facts that the chunks of a PNG or APNG state (PNG, third edition). Nothing is inflated for them.
package struct PNGHeader: Sendable, Equatable {
    /// The maximum compressed size of a color profile that is kept, in bytes. Deflate expands data at most 1,032 times,
    /// so a profile that is a decompression bomb costs less than 17 MB. Real profiles have 0.5 to 4 kB.
    package static let mostProfileBytes = 16_384

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
