/// The header of a device-independent bitmap, as BMP files and icons hold it (Windows SDK, "BITMAPINFOHEADER" and its
/// successors; for 64 bytes the OS/2 toolkit's "BITMAPINFOHEADER2").
struct DIBHeader: Sendable, Equatable {
    /// "Core", "info", "info" with three and with four masks, OS/2, "V4" and "V5".
    static let knownSizes = [12, 40, 52, 56, 64, 108, 124]

    /// Bytes of the header, one of `knownSizes`.
    let byteCount: Int
    /// Pixels, 1…2³¹-1. In an icon the height counts its mask too.
    let width: Int
    let height: Int
    /// Whether the first row is the highest; else it is the lowest.
    let isTopDown: Bool
    let planes: Int
    /// Bits of a pixel, as the file says them.
    let bitDepth: Int
    let compression: BMPCompression
    /// Colours of the palette; 0: as many as the bits can name.
    let colorsUsed: Int
    /// With `bitfields` and `alphaBitfields` only.
    let masks: DIBMasks?
    /// Where the palette stands: behind the header, and behind masks that a header of 40 bytes has no place for.
    let paletteOffset: Int
    /// An ICC profile within the file, as the header of 124 bytes names it.
    let profile: Range<Int>?

    /// - Throws: `truncated`, `malformed`, `unsupported` for headers and compressions of no known kind.
    init(at start: Int, of bytes: Span<UInt8>) throws(MediaHeaderError) {
        guard let size = bytes.littleEndian32(at: start) else { throw .truncated("the bitmap header") }
        guard Self.knownSizes.contains(size) else { throw .unsupported("bitmap headers of \(size) bytes") }
        guard start + size <= bytes.count else { throw .truncated("the bitmap header") }
        let fields = bytes.extracting(start..<start + size)
        let isCore = size == 12
        byteCount = size
        let signedWidth = isCore ? fields.littleEndian16(at: 4) : fields.signedLittleEndian32(at: 4)
        let signedHeight = isCore ? fields.littleEndian16(at: 6) : fields.signedLittleEndian32(at: 8)
        guard let signedWidth, let signedHeight, signedWidth > 0, signedHeight != 0, signedHeight > -0x8000_0000 else {
            throw .malformed("bitmap size")
        }
        width = signedWidth
        height = abs(signedHeight)
        isTopDown = signedHeight < 0
        planes = fields.littleEndian16(at: isCore ? 8 : 12) ?? 0
        bitDepth = fields.littleEndian16(at: isCore ? 10 : 14) ?? 0
        let code = isCore ? 0 : fields.littleEndian32(at: 16) ?? 0
        // OS/2 has other meanings for the numbers behind the runs: Huffman codes, runs of 24 bits.
        guard let compression = BMPCompression(rawValue: code), size != 64 || code <= 2 else {
            throw .unsupported("bitmap compression \(code)\(size == 64 ? " of OS/2" : "")")
        }
        self.compression = compression
        colorsUsed = isCore ? 0 : fields.littleEndian32(at: 32) ?? 0
        let maskCount = compression == .bitfields ? 3 : compression == .alphaBitfields ? 4 : 0
        let behind = size == 40 ? 4 * maskCount : 0
        guard start + size + behind <= bytes.count else { throw .truncated("the bitmap masks") }
        masks = maskCount == 0 ? nil : Self.masks(at: start + 40, count: size >= 56 ? 4 : maskCount, of: bytes)
        paletteOffset = start + size + behind
        profile = size == 124 ? Self.profile(fields, start: start, limit: bytes.count) : nil
    }

    private static func masks(at offset: Int, count: Int, of bytes: Span<UInt8>) -> DIBMasks {
        func mask(_ index: Int) -> UInt32 {
            index < count ? UInt32(bytes.littleEndian32(at: offset + 4 * index) ?? 0) : 0
        }
        return DIBMasks(red: mask(0), green: mask(1), blue: mask(2), alpha: mask(3))
    }

    /// - Parameter start: of the header, from which the profile's offset counts.
    private static func profile(_ fields: Span<UInt8>, start: Int, limit: Int) -> Range<Int>? {
        // 'MBED' as a number: the profile is in this file.
        guard fields.littleEndian32(at: 56) == 0x4D42_4544, let offset = fields.littleEndian32(at: 112),
            let count = fields.littleEndian32(at: 116), count > 0, start + offset + count <= limit
        else { return nil }
        return start + offset..<start + offset + count
    }

    /// Bytes of a row, which is filled to whole words of four bytes.
    var rowBytes: Int {
        (width * bitDepth + 31) / 32 * 4
    }
}

/// Which bits of a pixel's number are which colour. The number is little-endian, of the pixel's bits.
package struct DIBMasks: Sendable, Equatable {
    package var red: UInt32
    package var green: UInt32
    package var blue: UInt32
    /// 0: no bits say how opaque a pixel is.
    package var alpha: UInt32

    package init(red: UInt32, green: UInt32, blue: UInt32, alpha: UInt32 = 0) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// Whether each mask is one run of bits within the pixel, no two masks share a bit, and there is a colour.
    func areDrawable(ofBits bits: Int) -> Bool {
        var taken: UInt32 = 0
        for mask in [red, green, blue, alpha] where mask != 0 {
            let run = mask >> UInt32(mask.trailingZeroBitCount)
            guard run & (run &+ 1) == 0, taken & mask == 0, bits == 32 || mask <= 0xFFFF else { return false }
            taken |= mask
        }
        return taken & ~alpha != 0
    }

    /// Whether the colours lie as they do here, whatever the alpha.
    func hasColors(of other: DIBMasks) -> Bool {
        red == other.red && green == other.green && blue == other.blue
    }
}
