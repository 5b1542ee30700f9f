package import Base

/// A correction of the frames of a GIF, for FFmpeg's decoder, which shows some of them differently from all browsers.
///
/// The decoder fills the area that no frame covers with the background color of the file's palette. Without such a
/// palette, the area stays transparent, as in browsers. The correction therefore removes the file's palette and gives
/// it to each frame without a palette.
///
/// Browsers crop a frame that is larger than the screen. The decoder takes the pixels beyond the right edge for pixels
/// of the next row. The correction therefore states a larger screen, and the caller crops the decoded frames.
package struct GIFFrameCorrection {
    private static let paletteFlag: UInt8 = 0x80
    private static let paletteFields: UInt8 = 0x87

    private let removesBackground: Bool
    private let screen: PixelSize?
    private var palette: [UInt8] = []
    /// The flag and the size of `palette`, in the bits of an image descriptor.
    private var paletteFlags: UInt8 = 0

    /// Creates a correction for the frames of one file.
    ///
    /// - Parameter screen: The screen that the corrected file states; `nil` if the file's own screen stays.
    package init(removesBackground: Bool, screen: PixelSize? = nil) {
        self.removesBackground = removesBackground
        self.screen = screen
    }

    /// Returns the corrected bytes of one frame. The bytes of the first frame begin with the file's header.
    ///
    /// - Parameter bytes: The frame and the blocks before it. For the first frame, the file's header is among them.
    package mutating func frame(_ bytes: Span<UInt8>) -> [UInt8] {
        var rewritten = removesBackground ? frameWithPalette(bytes) : bytes.copy(0..<bytes.count)
        if let screen, bytes.spells("GIF", at: 0), rewritten.count >= 10 {
            for (place, side) in [(GIFScreen.offset, screen.width), (GIFScreen.offset + 2, screen.height)] {
                rewritten[place] = UInt8(truncatingIfNeeded: side)
                rewritten[place + 1] = UInt8(clamping: side >> 8)
            }
        }
        return rewritten
    }

    private mutating func frameWithPalette(_ bytes: Span<UInt8>) -> [UInt8] {
        var rewritten: [UInt8] = []
        var offset = 0
        if bytes.spells("GIF", at: 0), let flags = bytes.byte(at: 10) {
            offset = 13 + GIFWalk.paletteBytes(flags)
            palette = bytes.copy(13..<offset)
            paletteFlags = flags & Self.paletteFields
            rewritten = bytes.copy(0..<13)
            rewritten[10] = flags & ~Self.paletteFields
        }
        while bytes.byte(at: offset) == 0x21, let end = GIFWalk.endOfSubBlocks(bytes, from: offset + 2) {
            rewritten += bytes.copy(offset..<end)
            offset = end
        }
        guard bytes.byte(at: offset) == 0x2C, let flags = bytes.byte(at: offset + 9) else {
            return rewritten + bytes.copy(offset..<bytes.count)
        }
        rewritten += bytes.copy(offset..<offset + 9)
        if flags & Self.paletteFlag == 0 {
            rewritten.append(flags & ~Self.paletteFields | paletteFlags)
            rewritten += palette
        } else {
            rewritten.append(flags)
        }
        let end = GIFWalk.endOfSubBlocks(bytes, from: offset + 11 + GIFWalk.paletteBytes(flags)) ?? bytes.count
        return rewritten + bytes.copy(offset + 10..<end)
    }
}
