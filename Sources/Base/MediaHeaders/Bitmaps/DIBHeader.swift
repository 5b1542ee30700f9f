/// The header of a device-independent bitmap in BMP files and icons (Windows SDK, "BITMAPINFOHEADER" and its
/// successors; for 64 bytes the OS/2 toolkit's "BITMAPINFOHEADER2").
struct DIBHeader: Sendable, Equatable {
    /// The sizes of the known headers, in bytes: "core", "info", "info" with 3 and with 4 masks, OS/2, "V4" and "V5".
    static let knownSizes = [12, 40, 52, 56, 64, 108, 124]

    /// The number of bytes of the header, one of `knownSizes`.
    let byteCount: Int
    /// The width in pixels, 1…2³¹-1. In an icon, `height` includes the rows of the mask.
    let width: Int
    let height: Int
    /// Whether the first stored row is the top row, instead of the bottom row.
    let isTopDown: Bool
    let planes: Int
    /// The bits of a pixel, as the file states them.
    let bitDepth: Int
    let compression: BMPCompression
    /// The number of palette entries; 0 if there is one for each possible pixel value.
    let colorsUsed: Int
    /// The masks of `bitfields` and `alphaBitfields`; `nil` for all other compressions.
    let masks: DIBMasks?
    /// The offset of the palette, which follows the header and the masks that do not fit into a header of 40 bytes.
    let paletteOffset: Int
    /// The range of the ICC profile, which only a header of 124 bytes can name; `nil` if the file has none.
    let profile: Range<Int>?

    /// Reads the header at an offset of the file.
    ///
    /// - Throws: `truncated`, `malformed`, or `unsupported` for an unknown header size or compression.
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
        // In OS/2 headers, larger numbers have other meanings: Huffman codes, and runs of 24 bits.
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

    /// Returns the range of the ICC profile; `nil` if it is outside the file.
    ///
    /// - Parameter start: The offset of the header. The file states the profile's offset relative to it.
    private static func profile(_ fields: Span<UInt8>, start: Int, limit: Int) -> Range<Int>? {
        // The number 0x4D424544 stands for 'MBED': the profile is embedded in this file.
        guard fields.littleEndian32(at: 56) == 0x4D42_4544, let offset = fields.littleEndian32(at: 112),
            let count = fields.littleEndian32(at: 116), count > 0, start + offset + count <= limit
        else { return nil }
        return start + offset..<start + offset + count
    }

    /// The number of bytes of a row, which is padded to whole words of four bytes.
    var rowBytes: Int { (width * bitDepth + 31) / 32 * 4 }
}

/// The masks that select the bits of each color in a pixel. A pixel is a little-endian number.
package struct DIBMasks: Sendable, Equatable {
    package var red: UInt32
    package var green: UInt32
    package var blue: UInt32
    /// The bits for the opacity of a pixel; 0 if there are none.
    package var alpha: UInt32 = 0

    /// Returns whether each mask is one run of bits within the pixel, none overlap, and at least one color has a mask.
    func areDrawable(ofBits bits: Int) -> Bool {
        var taken: UInt32 = 0
        for mask in [red, green, blue, alpha] where mask != 0 {
            let run = mask >> UInt32(mask.trailingZeroBitCount)
            guard run & (run &+ 1) == 0, taken & mask == 0, bits == 32 || mask <= 0xFFFF else { return false }
            taken |= mask
        }
        return taken & ~alpha != 0
    }

    /// Returns whether the color masks are equal to those of `other`. The alpha mask may differ.
    func hasColors(of other: DIBMasks) -> Bool { red == other.red && green == other.green && blue == other.blue }
}
