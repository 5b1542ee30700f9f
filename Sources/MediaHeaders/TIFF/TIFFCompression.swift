/// How the strips of a TIFF are coded (TIFF 6.0, tag 259; the numbers above 32,768 as libtiff lists them).
package enum TIFFCompression: Int, Sendable, Equatable, CaseIterable {
    case none = 1
    /// Of bits, without row ends (modified Huffman).
    case ccittRLE = 2
    case ccittGroup3 = 3
    case ccittGroup4 = 4
    case lzw = 5
    /// JPEG as TIFF 6.0 had it, whose tables are in tags.
    case oldJPEG = 6
    case jpeg = 7
    case deflate = 8
    case packBits = 32_773
    /// Deflate under its first number.
    case oldDeflate = 32_946
    case jpeg2000 = 34_712
    case lzma = 34_925
    case zstandard = 50_000
    case webP = 50_001
    case jpegXL = 50_002

    /// One word, for a sentence.
    package var name: String {
        switch self {
        case .none: "raw"
        case .ccittRLE: "CCITT-RLE"
        case .ccittGroup3: "CCITT-G3"
        case .ccittGroup4: "CCITT-G4"
        case .lzw: "LZW"
        case .oldJPEG: "old-JPEG"
        case .jpeg: "JPEG"
        case .deflate, .oldDeflate: "Deflate"
        case .packBits: "PackBits"
        case .jpeg2000: "JPEG-2000"
        case .lzma: "LZMA"
        case .zstandard: "Zstandard"
        case .webP: "WebP"
        case .jpegXL: "JPEG-XL"
        }
    }

    /// Whether the codes are made for pictures of one bit.
    var isFax: Bool {
        self == .ccittRLE || self == .ccittGroup3 || self == .ccittGroup4
    }

    /// Whether FFmpeg 5.1's decoder fills the picture, or the one of JPEG, which FFmpeg leaves all black.
    var isDecoded: Bool {
        switch self {
        case .none, .ccittRLE, .ccittGroup3, .ccittGroup4, .lzw, .deflate, .packBits, .oldDeflate, .lzma, .jpeg: true
        case .oldJPEG, .jpeg2000, .zstandard, .webP, .jpegXL: false
        }
    }

    /// Whether FFmpeg's decoder takes a strip out of its compression before it reads the first row (libavcodec/tiff.c).
    var isInflatedWhole: Bool {
        switch self {
        case .deflate, .oldDeflate, .lzma: true
        default: false
        }
    }

    /// Whether differences of neighbours are coded where the file says so (TIFF 6.0, section 14).
    var hasPredictor: Bool {
        switch self {
        case .lzw, .deflate, .oldDeflate, .lzma: true
        default: false
        }
    }
}
