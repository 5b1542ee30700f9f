/// Rewrites the frames of a GIF for a decoder that draws the background colour, which no browser does.
///
/// Browsers leave transparent what no frame covers. FFmpeg's decoder fills it with the background colour of the file's
/// palette, and with none where the file has no palette. Each frame therefore gets that palette as its own.
package struct GIFBackgroundRemoval {
    private static let paletteFlag: UInt8 = 0x80
    private static let paletteFields: UInt8 = 0x87

    private var palette: [UInt8] = []
    /// Its flag and size, as a frame states them.
    private var paletteFlags: UInt8 = 0

    package init() {}

    /// Returns one frame with a palette of its own, after the file's header if it is the first one.
    ///
    /// - Parameter bytes: the frame and the blocks before it. The first frame's begin with the file's header.
    package mutating func frame(_ bytes: Span<UInt8>) -> [UInt8] {
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
