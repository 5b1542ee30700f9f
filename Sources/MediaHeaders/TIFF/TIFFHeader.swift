/// What the first directory of a TIFF says (TIFF 6.0), read without decoding. Only what FFmpeg 5.1's decoder shows rightly
/// is no error.
package struct TIFFHeader: Sendable, Equatable {
    package enum ColorModel: Sendable, Equatable {
        case grey
        /// A table of RGB.
        case palette
        case rgb
        /// FFmpeg hands it on as RGB: each ink is subtracted from white, and no profile is asked.
        case cmyk

        var samples: Int {
            switch self {
            case .grey, .palette: 1
            case .rgb: 3
            case .cmyk: 4
            }
        }
    }

    /// What the sample behind the colours is (TIFF 6.0, tag 338). FFmpeg hands each on as alpha.
    package enum Alpha: Sendable, Equatable {
        case none
        /// The file does not say; it may be anything, and the picture is opaque.
        case unspecified
        /// The colours are multiplied by it.
        case associated
        case unassociated
    }

    /// Stored pixels, 1…2³¹-1, before orientation.
    package var width: Int
    package var height: Int
    /// Bits of a sample: 1, 2, 4, 8, 12 or 16.
    package var bitDepth: Int
    package var colorModel: ColorModel
    package var alpha: Alpha
    /// Whether each sample has strips of its own.
    package var isPlanar: Bool
    package var compression: TIFFCompression
    package var stripCount: Int
    /// Whether all strips lie in the file, uncompressed ones with all their rows, and the profile too.
    package var isComplete: Bool
    /// FFmpeg does not obey it.
    package var orientation: ImageOrientation
    /// The ICC profile.
    package var profile: Range<Int>?
    /// Bytes of the decoded picture as the decoder lays it out.
    package var decodedBytes: Int
    /// Bytes of a strip that the decoder inflates as a whole before it lays out the rows; 0 for codes that it reads row by
    /// row.
    package var inflatedBytes: Int

    /// Reads the first directory and its tables of strips.
    ///
    /// - Throws: `wrongFormat`, `truncated` before the directory's end (where most writers put it is the file's end),
    ///   `malformed`, `excessive`, `unsupported`. Strips that are not there are no error: `isComplete` says so.
    package init(_ bytes: Span<UInt8>) throws(MediaHeaderError) {
        switch bytes.bigEndian32(at: 0) {
        case 0x4949_2A00, 0x4D4D_002A: break
        case 0x4949_2B00, 0x4D4D_002B: throw .unsupported("BigTIFF")
        default: throw .wrongFormat
        }
        let fields = try TIFFFields(bytes)
        guard !fields.has(.dngVersion), !fields.has(.mosaicPattern), !fields.has(.mosaicDimensions) else {
            throw .unsupported("camera raw in TIFF")
        }
        // FFmpeg leaves such a first picture for another one, of which nothing is known here.
        if try fields.number(.newSubfileType, of: bytes) ?? 0 != 0, fields.has(.subDirectories) {
            throw .unsupported("TIFF whose first picture is a small one")
        }
        let sides = 1...0x7FFF_FFFF
        guard let width = try fields.number(.width, of: bytes), let height = try fields.number(.height, of: bytes),
            sides.contains(width), sides.contains(height)
        else { throw .malformed("TIFF size") }
        let samples = try TIFFSamples(fields, of: bytes)
        let strips = try TIFFStrips(fields, width: width, height: height, samples: samples, of: bytes)
        let profile = fields.entry(.profile)?.range
        let hasWholeProfile = (profile?.upperBound ?? 0) <= bytes.count
        self.width = width
        self.height = height
        bitDepth = samples.bitDepth
        colorModel = samples.colorModel
        alpha = samples.alpha
        isPlanar = samples.isPlanar
        compression = samples.compression
        stripCount = strips.count
        isComplete = strips.isComplete && hasWholeProfile
        orientation = ImageOrientation.inExif(bytes) ?? .upright
        self.profile = hasWholeProfile && profile?.isEmpty == false ? profile : nil
        decodedBytes = samples.decodedBytes(width: width, height: height)
        inflatedBytes = samples.compression.isInflatedWhole ? strips.mostBytes : 0
    }
}
