/// The facts that the chunks of a PNG or APNG state (PNG, third edition), read without inflating anything.
package struct PNGHeader: Sendable, Equatable {
    /// Compressed bytes that a colour profile may have to be kept. Deflate grows at most 1,032 times, so that a profile
    /// that is a bomb costs less than 17 MB; real ones have 0.5 to 4 kB.
    package static let mostProfileBytes = 16_384

    package enum ColorType: UInt8, Sendable, Equatable {
        case grey = 0
        case rgb = 2
        case palette = 3
        case greyAlpha = 4
        case rgba = 6

        package var samples: Int {
            switch self {
            case .grey, .palette: 1
            case .greyAlpha: 2
            case .rgb: 3
            case .rgba: 4
            }
        }
    }

    /// Stored pixels, 1…2³¹-1, before orientation.
    package var width: Int
    package var height: Int
    /// Bits of a sample: 1, 2, 4, 8 or 16.
    package var bitDepth: Int
    package var colorType: ColorType
    /// An alpha channel, or a transparent colour.
    package var hasAlpha: Bool
    /// Pictures of an APNG as its control chunks count them; 1 for a still.
    package var frameCount: Int
    /// The time of each frame that a control chunk announces; empty for a still.
    package var times: AnimationTimes
    /// The number of times that an animation is played, 1…2³²-1; `nil` plays it for ever.
    package var plays: Int?
    /// Whether picture data and the end chunk are there.
    package var isComplete: Bool
    package var orientation: ImageOrientation
    /// The colours that cICP names; they go before a profile. `nil` without that chunk, or if it names none of RGB.
    package var colour: CodedColour?
    /// The chunk of the colour profile.
    package var profile: Range<Int>?
    /// Whether the picture that viewers without animations show is no frame of the animation.
    package var hidesDefaultImage: Bool
    /// The file without EXIF, text, time, profiles that are oversized or unreadable, other chunks for colours that are
    /// damaged, and anything behind its end.
    package var kept: RetainedRanges
    /// Whether `kept` leaves something out.
    package var hasMetadata: Bool

    /// Walks the whole file.
    ///
    /// - Throws: `wrongFormat`, `truncated` inside the first chunk, `malformed`, `excessive`. A file that ends later is no
    ///   error: `isComplete` says so.
    package init(_ bytes: Span<UInt8>) throws(MediaHeaderError) {
        self = try PNGWalk.header(of: bytes)
    }

    init(
        width: Int, height: Int, bitDepth: Int, colorType: ColorType, hasAlpha: Bool, frameCount: Int,
        times: AnimationTimes, plays: Int?, isComplete: Bool, orientation: ImageOrientation,
        colour: CodedColour?, profile: Range<Int>?, hidesDefaultImage: Bool, kept: RetainedRanges, hasMetadata: Bool
    ) {
        self.width = width
        self.height = height
        self.bitDepth = bitDepth
        self.colorType = colorType
        self.hasAlpha = hasAlpha
        self.frameCount = frameCount
        self.times = times
        self.plays = plays
        self.isComplete = isComplete
        self.orientation = orientation
        self.colour = colour
        self.profile = profile
        self.hidesDefaultImage = hidesDefaultImage
        self.kept = kept
        self.hasMetadata = hasMetadata
    }

    package var isAnimated: Bool {
        frameCount > 1
    }

    /// Bytes of the decoded picture as the decoder lays it out.
    package var decodedBytes: Int {
        // A transparent colour becomes an alpha channel. Width and height have 31 bits, so this can overflow.
        let addsAlpha = hasAlpha && (colorType == .grey || colorType == .rgb)
        let perPixel = (colorType.samples + (addsAlpha ? 1 : 0)) * (bitDepth == 16 ? 2 : 1)
        return width.multipliedOrMax(by: height).multipliedOrMax(by: perPixel)
    }
}
