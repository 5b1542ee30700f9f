/// A bitmap without a file header, as icons hold it: colours, then a mask of one bit a pixel (Windows SDK, "Icons"). What
/// is needed to draw it, which `ICOImage` does.
package struct ICOBitmap: Sendable, Equatable {
    /// Larger icons than 256 pixels are PNG; a few writers go beyond.
    package static let mostSide = 1_024

    /// Pixels, 1…1,024; the mask, which the file's height counts too, is not in them.
    package let width: Int
    package let height: Int
    /// Bits of a pixel: 1, 4, 8, 16, 24 or 32.
    package let bitDepth: Int
    /// The colours, blue first, where a pixel is the number of one.
    package let palette: Range<Int>?
    /// Bytes of a colour: 4, or 3 behind the shortest header.
    package let colorBytes: Int
    /// Which bits of 16 or 32 are which colour. Of 32 bits without any said the highest eight are alpha.
    package let masks: DIBMasks?
    /// The pixels, lowest row first; it may reach beyond the file.
    package let pixelArray: Range<Int>
    /// Bytes of a row with its filling.
    package let rowBytes: Int
    /// One bit a pixel, 1 where the background shows, lowest row first; `nil` where it is not there.
    package let mask: Range<Int>?
    package let maskRowBytes: Int
    /// Whether all pixels are there, and the mask where nothing else says how opaque they are.
    package let isComplete: Bool

    /// - Parameter part: of the file that the icon's entry names, ending with the file at the latest.
    /// - Throws: `truncated`, `malformed`, `unsupported`.
    init(_ part: Range<Int>, of bytes: Span<UInt8>) throws(MediaHeaderError) {
        let dib = try DIBHeader(at: part.lowerBound, of: bytes.extracting(first: part.upperBound))
        guard dib.height % 2 == 0, !dib.isTopDown else { throw .malformed("icon bitmap: height \(dib.height)") }
        width = dib.width
        height = dib.height / 2
        bitDepth = dib.bitDepth
        guard width <= Self.mostSide, height <= Self.mostSide else {
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
