/// A bitmap of an icon: no file header, pixels, and a mask of one bit each (Windows SDK, "Icons"). See `ICOImage`.
package struct ICOBitmap: Sendable, Equatable {
    /// The largest side, in pixels. Icons of 256 pixels and more are usually PNG; few programs write larger bitmaps.
    package static let maxSide = 1_024

    /// The width in pixels, 1…1,024. `height` does not include the mask, unlike the height in the file.
    package let width: Int
    package let height: Int
    /// The bits of a pixel: 1, 4, 8, 16, 24 or 32.
    package let bitDepth: Int
    /// The range of the palette, with blue as the first byte of a color; `nil` if the pixels are no palette indices.
    package let palette: Range<Int>?
    /// The number of bytes of a palette color: 4, or 3 after a header of 12 bytes.
    package let colorBytes: Int
    /// The masks of a pixel of 16 or 32 bits; else `nil`. Without masks in the file, the highest 8 of 32 are alpha.
    package let masks: DIBMasks?
    /// The range of the pixels, with the bottom row first. The range may reach beyond the file.
    package let pixelArray: Range<Int>
    /// The number of bytes of a row with its padding.
    package let rowBytes: Int
    /// The range of the mask, with the bottom row first; `nil` if it is incomplete. A bit of 1 shows the background.
    package let mask: Range<Int>?
    package let maskRowBytes: Int
    /// Whether the file has all pixels, and either the mask or an alpha channel.
    package let isComplete: Bool

    /// Reads the header of a bitmap.
    ///
    /// - Parameter part: The range that the icon's entry names, clamped to the end of the file.
    /// - Throws: `truncated`, `malformed`, or `unsupported`.
    init(_ part: Range<Int>, of bytes: Span<UInt8>) throws(MediaHeaderError) {
        let dib = try DIBHeader(at: part.lowerBound, of: bytes.extracting(first: part.upperBound))
        guard dib.height % 2 == 0, !dib.isTopDown else { throw .malformed("icon bitmap: height \(dib.height)") }
        width = dib.width
        height = dib.height / 2
        bitDepth = dib.bitDepth
        guard width <= Self.maxSide, height <= Self.maxSide else {
            throw .unsupported("icon bitmap of \(width)x\(height)")
        }
        switch (dib.compression, bitDepth) {
        case (.rgb, 1), (.rgb, 4), (.rgb, 8), (.rgb, 24): masks = nil
        case (.rgb, 16): masks = DIBMasks(red: 0x7C00, green: 0x03E0, blue: 0x001F)
        case (.rgb, 32):
            masks = DIBMasks(red: 0x00FF_0000, green: 0x0000_FF00, blue: 0x0000_00FF, alpha: 0xFF00_0000)
        case (.bitfields, 16), (.bitfields, 32), (.alphaBitfields, 16), (.alphaBitfields, 32): masks = dib.masks
        default: throw .unsupported("icon bitmap of \(bitDepth) bits, \(dib.compression.name)")
        }
        colorBytes = dib.byteCount == 12 ? 3 : 4
        var start = dib.paletteOffset
        if bitDepth <= 8 {
            let all = 1 << bitDepth
            let end = start + colorBytes * ((1...all).contains(dib.colorsUsed) ? dib.colorsUsed : all)
            guard end <= part.upperBound else { throw .truncated("the icon's palette") }
            palette = start..<end
            start = end
        } else {
            palette = nil
        }
        rowBytes = dib.rowBytes
        maskRowBytes = (width + 31) / 32 * 4
        pixelArray = start..<start + rowBytes * height
        let end = pixelArray.upperBound + maskRowBytes * height
        mask = end <= part.upperBound ? pixelArray.upperBound..<end : nil
        isComplete = pixelArray.upperBound <= part.upperBound && (mask != nil || (masks?.alpha ?? 0) != 0)
    }
}
