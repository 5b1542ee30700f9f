import Base
import CFFmpeg
import CTIFF
import MediaHeaders
import TranscodeProtocol

/// The layout of the pixels in a TIFF's first image, as libtiff reads it, and the way in which they are decoded.
struct TIFFLayout {
    enum Colors {
        case gray, invertedGray, palette, rgb
        /// CMYK, with the channels in this order.
        case inks
        /// CIE L*a*b*. In `signedLab`, a* and b* are signed. In `lab`, 128 stands for 0.
        case signedLab, lab
        /// YCbCr and other colors that libtiff converts to red, green and blue.
        case converted

        var samples: Int {
            switch self {
            case .gray, .invertedGray, .palette: 1
            case .rgb, .signedLab, .lab, .converted: 3
            case .inks: 4
            }
        }

        var isLab: Bool { self == .signedLab || self == .lab }
        var takeAlpha: Bool { self != .palette && self != .converted && !isLab }
    }

    /// The compressions that are decoded. libtiff's others (LERC, JBIG, PixarLog, NeXT) are rarely used for images.
    private static let compressions = [
        COMPRESSION_NONE, COMPRESSION_CCITTRLE, COMPRESSION_CCITTRLEW, COMPRESSION_CCITTFAX3, COMPRESSION_CCITTFAX4,
        COMPRESSION_LZW, COMPRESSION_OJPEG, COMPRESSION_JPEG, COMPRESSION_ADOBE_DEFLATE, COMPRESSION_PACKBITS,
        COMPRESSION_THUNDERSCAN, COMPRESSION_DEFLATE, COMPRESSION_SGILOG, COMPRESSION_SGILOG24, COMPRESSION_LZMA,
        COMPRESSION_ZSTD, COMPRESSION_WEBP,
    ]

    /// The photometric interpretation of demosaiced camera samples (DNG 1.7).
    private static let linearRaw: Int32 = 34_892

    /// The size as stored, before the orientation is applied.
    let size: PixelSize
    let orientation: ImageOrientation
    let colors: Colors
    /// The meaning of the sample after the colors; `nil` if no sample follows, or if it is no alpha.
    let alpha: ImageFacts.AlphaMeaning?
    /// The number of bits in a sample, 1…16.
    let depth: Int
    /// The number of samples in a pixel, including those that are not shown.
    let count: Int
    /// Whether each sample has its own strips or tiles.
    let isPlanar: Bool
    /// The size of a tile; `nil` for an image in strips.
    let tile: PixelSize?
    let tileCount: Int
    /// The number of bytes in a decoded row of a tile or a strip, in one plane.
    let rowBytes: Int
    /// The number of bytes that are decoded at once in one plane: a tile, a strip or a row.
    let planeBytes: Int
    /// The number of bytes that are held in addition to the image.
    let workingBytes: Int

    /// Reads the layout from the tags.
    ///
    /// - Throws: `unsupported` for layouts that neither this type nor libtiff can show. `corrupt` for tags that
    ///   contradict each other. `tooManyPixels` for rows that libtiff cannot count.
    init(_ file: borrowing TIFFFile) throws(TranscodeFailure) {
        try Self.refuseCameraRaw(file)
        let compression = file.short(TIFFTAG_COMPRESSION, otherwise: Int(COMPRESSION_NONE))
        guard Self.compressions.contains(Int32(compression)), file.isDecoded(compression) else {
            throw .unsupported("no support for TIFF compression \(compression)")
        }
        size = PixelSize(file.long(TIFFTAG_IMAGEWIDTH), file.long(TIFFTAG_IMAGELENGTH))
        depth = file.short(TIFFTAG_BITSPERSAMPLE)
        count = file.short(TIFFTAG_SAMPLESPERPIXEL)
        guard size.width > 0, size.height > 0, count > 0 else { throw .corrupt("TIFF: no pixels") }
        isPlanar = count > 1 && file.short(TIFFTAG_PLANARCONFIG) == PLANARCONFIG_SEPARATE
        colors = try Self.colors(file, compression: Int32(compression), count: count, isPlanar: isPlanar)
        let format = Int32(file.short(TIFFTAG_SAMPLEFORMAT))
        if colors == .converted {
            if let refusal = file.conversionRefusal {
                throw .unsupported("no support for TIFF: \(refusal)")
            }
        } else {
            // Some programs wrongly mark samples of 8 bits as signed. All viewers show them as unsigned.
            let isWhole =
                format == SAMPLEFORMAT_UINT || format == SAMPLEFORMAT_VOID
                || format == SAMPLEFORMAT_INT && (depth == 8 || colors.isLab)
            guard isWhole, (1...(colors == .palette ? 8 : 16)).contains(depth) else {
                throw .unsupported("no support for TIFF of \(depth) bits, sample format \(format)")
            }
            guard count >= colors.samples else { throw .corrupt("TIFF: \(count) samples are too few for \(colors)") }
        }
        alpha = colors.takeAlpha && count > colors.samples ? Self.alpha(file) : nil
        orientation = ImageOrientation(rawValue: UInt8(clamping: file.short(TIFFTAG_ORIENTATION))) ?? .upright
        tile = file.isTiled ? PixelSize(file.long(TIFFTAG_TILEWIDTH), file.long(TIFFTAG_TILELENGTH)) : nil
        tileCount = tile == nil ? 0 : file.tileCount
        rowBytes = file.rowBytes
        planeBytes = tile == nil && !isPlanar ? rowBytes : file.partBytes
        let width = tile?.width ?? size.width
        let rowBits = width.multipliedOrMax(by: isPlanar ? depth : depth * count)
        guard colors == .converted || rowBytes >= rowBits.addedOrMax(7) / 8 && planeBytes >= rowBytes else {
            throw .tooManyPixels("TIFF: \(width) pixels in a row of \(count) samples")
        }
        let holdsPart = colors == .converted || Int32(compression) == COMPRESSION_WEBP
        // Before decoding, libtiff copies and reverses the bytes of a strip or tile whose bits are in the other order.
        let turnedBytes = file.short(TIFFTAG_FILLORDER) == FILLORDER_LSB2MSB ? file.byteCount : 0
        workingBytes = planeBytes.multipliedOrMax(by: isPlanar ? count : 1).addedOrMax(holdsPart ? file.partBytes : 0)
            .addedOrMax(turnedBytes)
    }

    /// Refuses raw files of cameras. `MediaSignature` misses those with a late first directory.
    private static func refuseCameraRaw(_ file: borrowing TIFFFile) throws(TranscodeFailure) {
        let photometric = Int32(file.short(TIFFTAG_PHOTOMETRIC))
        let isSmall = file.long(TIFFTAG_SUBFILETYPE) != 0 && file.hasArray(TIFFTAG_SUBIFD)
        guard !isSmall, photometric != PHOTOMETRIC_CFA, photometric != linearRaw,
            !file.hasArray(TIFFTAG_DNGVERSION), !file.hasArray(TIFFTAG_CFAPATTERN),
            !file.hasArray(TIFFTAG_CFAREPEATPATTERNDIM)
        else { throw .unsupported("no support for camera raw in TIFF") }
    }

    private static func alpha(_ file: borrowing TIFFFile) -> ImageFacts.AlphaMeaning? {
        switch file.firstExtraSample {
        case EXTRASAMPLE_ASSOCALPHA: .isMultipliedIn
        case EXTRASAMPLE_UNASSALPHA: .coverage
        default: nil
        }
    }

    private static func colors(
        _ file: borrowing TIFFFile, compression: Int32, count: Int, isPlanar: Bool
    ) throws(TranscodeFailure) -> Colors {
        // libtiff decodes old-style JPEG only in whole strips and tiles.
        guard compression != COMPRESSION_OJPEG else { return .converted }
        let isFax = (COMPRESSION_CCITTRLE...COMPRESSION_CCITTFAX4).contains(compression)
        let guess = count >= 3 ? PHOTOMETRIC_RGB : isFax ? PHOTOMETRIC_MINISWHITE : PHOTOMETRIC_MINISBLACK
        switch Int32(file.short(TIFFTAG_PHOTOMETRIC, otherwise: Int(guess))) {
        case PHOTOMETRIC_YCBCR where compression == COMPRESSION_JPEG && count == 3 && !isPlanar:
            file.convertJPEG()
            return .rgb
        case PHOTOMETRIC_MINISBLACK: return .gray
        case PHOTOMETRIC_MINISWHITE: return .invertedGray
        case PHOTOMETRIC_PALETTE: return .palette
        case PHOTOMETRIC_CIELAB: return .signedLab
        case PHOTOMETRIC_ICCLAB: return .lab
        case PHOTOMETRIC_RGB: return .rgb
        case PHOTOMETRIC_SEPARATED:
            guard file.short(TIFFTAG_INKSET) == INKSET_CMYK else {
                throw .unsupported("no support for TIFF of other inks than CMYK")
            }
            return .inks
        default: return .converted
        }
    }
}

extension TIFFLayout {
    var hasAlpha: Bool { alpha != nil }
    /// Whether the image is black and white with eight pixels in a byte. Each tile then begins at a whole byte.
    var isBits: Bool {
        depth == 1 && count == 1 && (colors == .gray || colors == .invertedGray) && (tile?.width ?? 0) % 8 == 0
    }

    /// The pixel format of the decoded image. Samples of 9 to 16 bits have 16 bits, and those of CMYK and L*a*b* 8.
    var pixelFormat: AVPixelFormat {
        let isDeep = depth > 8
        return switch colors {
        case .gray where isBits: AV_PIX_FMT_MONOBLACK
        case .invertedGray where isBits: AV_PIX_FMT_MONOWHITE
        case .gray, .invertedGray:
            if hasAlpha {
                isDeep ? AV_PIX_FMT_YA16LE : AV_PIX_FMT_YA8
            } else {
                isDeep ? AV_PIX_FMT_GRAY16LE : AV_PIX_FMT_GRAY8
            }
        case .palette: AV_PIX_FMT_PAL8
        case .rgb where isDeep: hasAlpha ? AV_PIX_FMT_RGBA64LE : AV_PIX_FMT_RGB48LE
        case .rgb, .inks, .signedLab, .lab: hasAlpha ? AV_PIX_FMT_RGBA : AV_PIX_FMT_RGB24
        case .converted: AV_PIX_FMT_RGB0
        }
    }

    /// The size of the decoded image, in bytes.
    var decodedBytes: Int {
        let plane = PixelFormat(pixelFormat).planeSize(0, width: size.width, height: size.height)
        return plane.rowBytes.multipliedOrMax(by: plane.rows)
    }
}
