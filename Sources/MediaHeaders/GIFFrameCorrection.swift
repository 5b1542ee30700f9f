/// Rewrites the frames of a GIF for a decoder that shows some of them as no browser does.
///
/// FFmpeg's decoder fills what no frame covers with the background colour of the file's palette, and with none where the
/// file has no palette. Browsers leave it transparent. Each frame therefore gets that palette as its own.
///
/// A frame that is larger than the screen is cut by browsers. FFmpeg's decoder takes the pixels that it cuts off a row for
/// those of the next row. The frames are therefore decoded with a larger screen, which is cut afterwards.
package struct GIFFrameCorrection {
    private static let paletteFlag: UInt8 = 0x80
    private static let paletteFields: UInt8 = 0x87

    private let removesBackground: Bool
    private let screen: (width: Int, height: Int)?
    private var palette: [UInt8] = []
    /// Its flag and size, as a frame states them.
    private var paletteFlags: UInt8 = 0

    /// - Parameter screen: the one that the frames are decoded with; `nil`: their own.
    package init(removesBackground: Bool, screen: (width: Int, height: Int)? = nil) {
        self.removesBackground = removesBackground
        self.screen = screen
    }

    /// Returns one frame with what it needs, after the file's header if it is the first one.
    ///
    /// - Parameter bytes: the frame and the blocks before it. The first frame's begin with the file's header.
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
