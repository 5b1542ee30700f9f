/// The correction of a GIF's logical screen, for a file whose first image reaches beyond the screen.
///
/// Some programs write a screen of 0 x 0, a screen that is smaller than the images, or an image that begins beyond the
/// screen. Chrome (Wuffs, std/gif/decode_gif.wuffs) and Pillow enlarge the screen to the edges of the first image.
/// FFmpeg's decoder cuts the width of an image that is too large, and takes the remaining pixels of a row for the next
/// row. The decoder refuses an image that begins beyond the screen.
package enum GIFScreen {
    /// The offset of the screen's width in the file. The height follows after it (GIF89a, 18).
    package static let offset = 6
    /// The largest side of a screen, which has 16 bits. Larger images exceed the limits of a worker, or are cropped.
    private static let mostSide = 0xFFFF
    /// The maximum growth of the screen, as a multiple of its pixels. The limit bounds the screen of an image that
    /// begins far outside the file's own screen.
    private static let mostGrowth = 4

    /// Returns the four bytes that replace the width and the height of the screen; `nil` if both are right.
    package static func correction(of bytes: Span<UInt8>) -> [UInt8]? {
        guard bytes.spells("GIF", at: 0), let width = bytes.littleEndian16(at: offset),
            let height = bytes.littleEndian16(at: offset + 2), let first = GIFWalk.firstImage(in: bytes),
            let x = bytes.littleEndian16(at: first + 1),
            let y = bytes.littleEndian16(at: first + 3), let imageWidth = bytes.littleEndian16(at: first + 5),
            let imageHeight = bytes.littleEndian16(at: first + 7),
            x + imageWidth > width || y + imageHeight > height
        else { return nil }
        var sides = (max(width, x + imageWidth), max(height, y + imageHeight))
        let whole = (max(width, imageWidth), max(height, imageHeight))
        // An image that begins far outside the screen does not enlarge it. Such an image is cropped at the screen's
        // edges.
        if sides.0 * sides.1 > mostGrowth * whole.0 * whole.1 { sides = whole }
        guard sides != (width, height) else { return nil }
        return [sides.0, sides.1].map { min($0, mostSide) }
            .flatMap { side in [UInt8(truncatingIfNeeded: side), UInt8(clamping: side >> 8)] }
    }
}
