/// The facts in the first directory of a TIFF (TIFF 6.0), read without decoding. Only what
/// FFmpeg 5.1's decoder shows rightly, or is assembled of its parts, is no error.
package struct TIFFHeader: Sendable, Equatable {
    package enum ColorModel: Sendable, Equatable {
        case grey
        /// A table of RGB.
        case palette
        case rgb
        case cmyk
        /// Luma and two colour differences.
        case yCbCr

        var samples: Int {
            switch self {
            case .grey, .palette: 1
            case .rgb, .yCbCr: 3
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
    package var samples: TIFFSamples
    package var parts: TIFFParts
    /// Whether all strips or tiles lie in the file, uncompressed ones with all their rows, and the profile too.
    package var isComplete: Bool
    /// FFmpeg does not obey it.
    package var orientation: ImageOrientation
    /// The ICC profile.
    package var profile: Range<Int>?
    /// The tables of JPEG that all parts share.
    package var jpegTables: Range<Int>?
    /// The facts for a decoder of single parts; `nil` if FFmpeg reads the file as a whole.
    package var partFile: TIFFPartFile?
    /// Bytes of the decoded picture as it is laid out. Tiles that reach beyond the picture count as a whole.
    package var decodedBytes: Int
    /// Bytes that a decoder holds besides: a strip that it inflates as a whole before it lays out the rows, or a single
    /// part and its copy; 0 for strips that it reads row by row.
    package var partBytes: Int

    /// Reads the first directory and its tables of strips.
    ///
    /// - Throws: `wrongFormat`, `truncated` before the directory's end (where most writers put it is the file's end),
    ///   `malformed`, `excessive`, `unsupported`. Strips and tiles that are not there are no error: `isComplete` says so.
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
        let parts = try TIFFParts(fields, width: width, height: height, samples: samples, of: bytes)
        let profile = fields.entry(.profile)?.range
        let tables = samples.compression == .jpeg ? fields.entry(.jpegTables)?.range : nil
        let hasWholeProfile = (profile?.upperBound ?? 0) <= bytes.count
        let hasWholeTables = (tables?.upperBound ?? 0) <= bytes.count
        self.width = width
        self.height = height
        self.samples = samples
        self.parts = parts
        isComplete = parts.isComplete && hasWholeProfile && hasWholeTables
        orientation = ImageOrientation.inExif(bytes) ?? .upright
        self.profile = hasWholeProfile && profile?.isEmpty == false ? profile : nil
        jpegTables = hasWholeTables ? tables : nil
        let isAssembled = parts.isTiled || samples.isAssembled
        partFile = isAssembled ? try TIFFPartFile(fields, samples: samples, of: bytes) : nil
        decodedBytes = samples.decodedBytes(
            width: parts.columns.multipliedOrMax(by: parts.width),
            height: parts.isTiled ? parts.rows.multipliedOrMax(by: parts.height) : height)
        partBytes =
            if isAssembled {
                parts.mostBytes.multipliedOrMax(by: samples.compression.isInflatedWhole ? 3 : 2)
            } else {
                samples.compression.isInflatedWhole ? parts.mostBytes : 0
            }
    }

    package var bitDepth: Int { samples.bitDepth }
    package var colorModel: ColorModel { samples.colorModel }
    package var alpha: Alpha { samples.alpha }
    package var isPlanar: Bool { samples.isPlanar }
    package var compression: TIFFCompression { samples.compression }
    package var stripCount: Int { parts.count }
}
