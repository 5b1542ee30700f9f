/// The screen of a GIF, corrected where the first picture is larger, as browsers do it.
///
/// Some programs write a screen of 0 x 0, or one that is smaller than the pictures. Browsers and Pillow show such files
/// in the size of the first picture. FFmpeg's decoder cuts the width of the picture, and then takes the pixels of a row
/// for those of the next one.
package enum GIFScreen {
    /// The offset of the screen's width in the file; its height follows (GIF89a, 18).
    package static let offset = 6

    /// Returns the bytes that replace the width and the height of the screen; `nil` if they are right.
    package static func correction(of bytes: Span<UInt8>) -> [UInt8]? {
        guard bytes.spells("GIF", at: 0), let width = bytes.littleEndian16(at: offset),
            let height = bytes.littleEndian16(at: offset + 2), let first = GIFWalk.firstPicture(in: bytes),
            let x = bytes.littleEndian16(at: first + 1),
            let y = bytes.littleEndian16(at: first + 3), let pictureWidth = bytes.littleEndian16(at: first + 5),
            let pictureHeight = bytes.littleEndian16(at: first + 7), pictureWidth > width || pictureHeight > height
        else { return nil }
        return [max(width, x + pictureWidth), max(height, y + pictureHeight)]
            .flatMap { side in [UInt8(truncatingIfNeeded: side), UInt8(clamping: side >> 8)] }
    }
}
