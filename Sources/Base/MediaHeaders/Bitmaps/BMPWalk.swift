/// A walk over the file header of a BMP and the bitmap header after it.
///
/// The walk accepts and refuses files as FFmpeg 5.1's decoder does (libavcodec/bmp.c; the refusals were tested
/// with 5.1.9). `MaskedBitmap` draws bitmaps that this decoder refuses only because of their masks.
struct BMPWalk {
    private static let fileHeaderBytes = 14

    private let dib: DIBHeader
    /// The offset at which the pixels begin, as the file states it.
    private let pixelOffset: Int
    private let declaredBytes: Int

    init(_ bytes: Span<UInt8>) throws(MediaHeaderError) {
        guard bytes.spells("BM", at: 0) else { throw .wrongFormat }
        guard let declared = bytes.littleEndian32(at: 2), let offset = bytes.littleEndian32(at: 10) else {
            throw .truncated("the BMP header")
        }
        dib = try DIBHeader(at: Self.fileHeaderBytes, of: bytes)
        pixelOffset = offset
        declaredBytes = min(declared, bytes.count)
    }

    func header(of bytes: Span<UInt8>) throws(MediaHeaderError) -> BMPHeader {
        let drawn = try judgeCoding()
        try judgeOffsets(of: bytes)
        let needed = dib.rowBytes.multipliedOrMax(by: dib.height)
        let end: Int? =
            dib.compression.isRunLength
            ? BMPRuns.end(of: bytes, from: pixelOffset, rows: dib.height, hasNibbles: dib.compression == .rle4)
            // Without the padding of the last row, FFmpeg assumes that no row has padding, and skews the image.
            : needed <= bytes.count - pixelOffset ? pixelOffset + needed : nil
        let hasAlpha = drawn.map { $0.alpha != 0 } ?? (dib.bitDepth == 32 && (dib.masks?.alpha ?? 0) != 0)
        return BMPHeader(
            width: dib.width, height: dib.height, isTopDown: dib.isTopDown, bitDepth: dib.bitDepth,
            compression: dib.compression, masks: drawn, palette: try palette(),
            pixelArray: pixelOffset..<(end ?? bytes.count), rowBytes: dib.rowBytes, hasAlpha: hasAlpha,
            hasUnusedByte: dib.bitDepth == 32 && !hasAlpha && drawn == nil,
            isComplete: end != nil, profile: dib.profile)
    }

    /// Checks the compression and the masks.
    ///
    /// - Returns: The masks of a bitmap that FFmpeg's decoder does not read; `nil` for a bitmap that the decoder reads.
    private func judgeCoding() throws(MediaHeaderError) -> DIBMasks? {
        guard dib.planes == 1 else { throw .malformed("BMP: \(dib.planes) planes") }
        let hasMaskedPixels = dib.bitDepth == 16 || dib.bitDepth == 32
        // FFmpeg refuses a header of 52 bytes.
        let isOf52 = dib.byteCount == 52
        switch dib.compression {
        case .rgb where isOf52 && hasMaskedPixels:
            return dib.bitDepth == 16 ? Self.knownMasks16[1] : Self.knownMasks32[1]
        case .bitfields where isOf52 && hasMaskedPixels: break
        case _ where isOf52: throw .unsupported("BMP headers of 52 bytes")
        case .rgb:
            guard dib.bitDepth != 2 else { throw .unsupported("BMP of 2 bits") }
            guard [1, 4, 8, 16, 24, 32].contains(dib.bitDepth) else { throw .malformed("BMP: \(dib.bitDepth) bits") }
            return nil
        case .rle8, .rle4:
            guard dib.bitDepth == (dib.compression == .rle8 ? 8 : 4) else {
                throw .malformed("BMP: \(dib.compression.name) of \(dib.bitDepth) bits")
            }
            guard !dib.isTopDown else { throw .malformed("BMP: runs from the highest row") }
            return nil
        case .bitfields, .alphaBitfields: break
        case .jpeg, .png, .cmyk, .cmykRLE8, .cmykRLE4: throw .unsupported("BMP of \(dib.compression.name)")
        }
        guard let masks = dib.masks, hasMaskedPixels else {
            throw .malformed("BMP: \(dib.compression.name) of \(dib.bitDepth) bits")
        }
        let known = dib.bitDepth == 16 ? Self.knownMasks16 : Self.knownMasks32
        if dib.compression == .bitfields, !isOf52, known.contains(where: masks.hasColors(of:)) { return nil }
        guard masks.areDrawable(ofBits: dib.bitDepth) else {
            let texts = [masks.red, masks.green, masks.blue].map { String($0, radix: 16) }
            throw .unsupported("BMP masks \(texts.joined(separator: " "))")
        }
        return masks
    }

    private static let knownMasks16 = [
        DIBMasks(red: 0xF800, green: 0x07E0, blue: 0x001F), DIBMasks(red: 0x7C00, green: 0x03E0, blue: 0x001F),
        DIBMasks(red: 0x0F00, green: 0x00F0, blue: 0x000F),
    ]
    private static let knownMasks32 = [
        DIBMasks(red: 0xFF00_0000, green: 0x00FF_0000, blue: 0x0000_FF00),
        DIBMasks(red: 0x00FF_0000, green: 0x0000_FF00, blue: 0x0000_00FF),
        DIBMasks(red: 0x0000_FF00, green: 0x00FF_0000, blue: 0xFF00_0000),
        DIBMasks(red: 0x0000_00FF, green: 0x0000_FF00, blue: 0x00FF_0000),
    ]

    private func judgeOffsets(of bytes: Span<UInt8>) throws(MediaHeaderError) {
        guard pixelOffset >= dib.paletteOffset else { throw .malformed("BMP pixel offset: inside the header") }
        guard pixelOffset < bytes.count else { throw .truncated("the BMP, before its pixels") }
        // Some writers state the headers' size instead of the file's. FFmpeg accepts it, and refuses smaller ones.
        let isOfHeaders = declaredBytes == Self.fileHeaderBytes || declaredBytes == Self.fileHeaderBytes + dib.byteCount
        guard declaredBytes > pixelOffset || isOfHeaders else {
            throw .malformed("BMP size field: \(declaredBytes) bytes")
        }
    }

    /// Returns the range of the palette; `nil` if none exists.
    ///
    /// The whole space between header and pixels may be palette entries, with four bytes each, or three in OS/2 files.
    private func palette() throws(MediaHeaderError) -> Range<Int>? {
        guard dib.bitDepth <= 8 else { return nil }
        let start = Self.fileHeaderBytes + dib.byteCount
        let space = pixelOffset - start
        if space == 0, dib.bitDepth == 8 { return nil }
        let all = 1 << dib.bitDepth
        var colors = (1...all).contains(dib.colorsUsed) ? dib.colorsUsed : all
        if dib.byteCount == 12 { colors = min(256, space / 3) }
        guard colors > 0, space >= 3 * colors else { throw .malformed("BMP palette") }
        return start..<start + colors * (space >= 4 * colors ? 4 : 3)
    }
}
