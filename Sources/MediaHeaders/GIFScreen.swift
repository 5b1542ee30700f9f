/// The screen of a GIF, corrected if the first picture reaches beyond it.
///
/// Some programs write a screen of 0 x 0, one that is smaller than the pictures, or a picture that begins at the edge of
/// the screen or beyond it. Chrome (Wuffs, std/gif/decode_gif.wuffs) and Pillow grow the screen to the edges of the first
/// picture. FFmpeg's decoder cuts the width of a picture that is larger, takes the pixels of a row for those of the next
/// one, and refuses a picture beyond the screen.
package enum GIFScreen {
    /// The offset of the screen's width in the file; its height follows (GIF89a, 18).
    package static let offset = 6
    /// The largest side that its 16 bits hold. Pictures of that size exceed the limits of a worker, or are cut.
    private static let mostSide = 0xFFFF
    /// The screen grows for the place of a picture at most to as many times its pixels.
    private static let mostGrowth = 4

    /// Returns the bytes that replace the width and the height of the screen; `nil` if they are right.
    package static func correction(of bytes: Span<UInt8>) -> [UInt8]? {
        guard bytes.spells("GIF", at: 0), let width = bytes.littleEndian16(at: offset),
            let height = bytes.littleEndian16(at: offset + 2), let first = GIFWalk.firstPicture(in: bytes),
            let x = bytes.littleEndian16(at: first + 1),
            let y = bytes.littleEndian16(at: first + 3), let pictureWidth = bytes.littleEndian16(at: first + 5),
            let pictureHeight = bytes.littleEndian16(at: first + 7),
            x + pictureWidth > width || y + pictureHeight > height
        else { return nil }
        var sides = (max(width, x + pictureWidth), max(height, y + pictureHeight))
        let whole = (max(width, pictureWidth), max(height, pictureHeight))
        // An absurd place costs no pixels: the picture is cut at the edges of the screen.
        if sides.0 * sides.1 > mostGrowth * whole.0 * whole.1 { sides = whole }
        guard sides != (width, height) else { return nil }
        return [sides.0, sides.1].map { min($0, mostSide) }
            .flatMap { side in [UInt8(truncatingIfNeeded: side), UInt8(clamping: side >> 8)] }
    }
}
