import Base

/// A single pass over the blocks of a GIF.
struct GIFWalk {
    /// The shortest delay that players use, in hundredths of a second. They show a frame with less for `usualDelay`.
    static let minDelay = 2
    static let usualDelay = 10

    /// The facts of the blocks that are read so far.
    private var header: GIFHeader
    /// The maximum number of frames that are kept.
    private let maxFrames: Int
    private let maxHundredths: Int
    private var hundredths = 0
    /// The delay in the graphic control block before the next frame, in hundredths of a second.
    private var delay = GIFWalk.usualDelay
    /// The graphic control block of an image that is not yet read; `nil` if none exists.
    private var pendingControl: Range<Int>?
    /// The blocks after `pendingControl` that are kept with or without it.
    private var pendingBlocks = RetainedRanges()

    static func header(
        of bytes: Span<UInt8>, minFrames: Int, maxFrames: Int, maxMilliseconds: Int
    ) throws(MediaHeaderError) -> GIFHeader {
        guard bytes.spells("GIF87a", at: 0) || bytes.spells("GIF89a", at: 0) else { throw .wrongFormat }
        guard let width = bytes.littleEndian16(at: 6), let height = bytes.littleEndian16(at: 8),
            let flags = bytes.byte(at: 10)
        else { throw .truncated("the GIF header") }
        guard width > 0, height > 0 else { throw .malformed("GIF screen size") }
        let first = 13 + paletteBytes(flags)
        guard first <= bytes.count else { throw .truncated("the GIF palette") }
        var walk = GIFWalk(
            header: GIFHeader(width: width, height: height, decodedWidth: width, decodedHeight: height),
            maxFrames: maxFrames, maxHundredths: maxMilliseconds / 10)
        try walk.header.kept.keep(0..<first)
        var offset = first
        while let next = try walk.step(bytes, at: offset) { offset = next }
        var header = walk.header
        guard header.sourceFrameCount >= minFrames else { throw .truncated("the GIF, before its first image") }
        if !header.isComplete { header.kept.close(with: [0x3B]) }
        header.isEmpty = header.isEmpty && header.sourceFrameCount == 1
        header.hasMetadata = !header.kept.isWhole(of: bytes.count)
        return header
    }

    /// Reads the block at the offset and returns that of the next one; `nil` at the end of the animation or the bytes.
    private mutating func step(_ bytes: Span<UInt8>, at start: Int) throws(MediaHeaderError) -> Int? {
        switch bytes.byte(at: start) {
        case 0x2C:
            guard let flags = bytes.byte(at: start + 9), let area = Self.area(bytes, at: start) else { return nil }
            let isFirst = header.sourceFrameCount == 0
            let codes = start + 10 + Self.paletteBytes(flags)
            // After a whole image, an image whose code size is invalid ends the file (GIF89a, appendix F).
            if !isFirst, let bits = bytes.byte(at: codes), !(1...11).contains(bits) { return try endHere() }
            // After the palette, one byte has the code size. The image data follow.
            guard let end = Self.endOfSubBlocks(bytes, from: codes + 1) else { return nil }
            if isFirst {
                let coversScreen = area.width >= header.width && area.height >= header.height
                header.isPartlyUncovered = header.isPartlyUncovered || (area.x, area.y) != (0, 0) || !coversScreen
                header.isEmpty = end == codes + 2
            }
            hundredths += delay
            // The first frame is kept, however long its delay is. After a frame that is left out, all are left out.
            let isWithin = header.frameCount == 0 || header.frameCount < maxFrames && hundredths <= maxHundredths
            if header.frameCount == header.sourceFrameCount, isWithin {
                try keepPending(withControl: true)
                try header.kept.keep(start..<end)
                noteDecodedScreen(area)
                header.frameCount += 1
                header.durationMilliseconds = hundredths * 10
                header.delays.append(delay * 10)
            } else {
                (pendingControl, pendingBlocks) = (nil, RetainedRanges())
            }
            header.sourceFrameCount += 1
            delay = Self.usualDelay
            return end
        case 0x21: return try readExtension(bytes, at: start)
        case 0x3B:
            try keepPending(withControl: false)
            try header.kept.keep(start..<start + 1)
            header.isComplete = true
            return nil
        case let other:
            if header.sourceFrameCount > 0 { return try endHere() }
            guard other == nil else { throw .malformed("GIF block") }
            return nil
        }
    }

    /// Ends the file before a malformed block.
    private mutating func endHere() throws(MediaHeaderError) -> Int? {
        try keepPending(withControl: false)
        header.kept.close(with: [0x3B])
        header.isComplete = true
        return nil
    }

    /// Enlarges the decoded screen for one frame.
    ///
    /// FFmpeg's decoder needs a screen that is at least as large as each frame, and on which each frame begins.
    private mutating func noteDecodedScreen(_ area: Rectangle<Int>) {
        func side(_ screen: Int, _ decoded: Int, _ offset: Int, _ length: Int) -> Int {
            max(decoded, length, offset >= screen ? offset + 1 : 0)
        }
        header.decodedWidth = side(header.width, header.decodedWidth, area.x, area.width)
        header.decodedHeight = side(header.height, header.decodedHeight, area.y, area.height)
    }

    private mutating func readExtension(_ bytes: Span<UInt8>, at start: Int) throws(MediaHeaderError) -> Int? {
        guard let label = bytes.byte(at: start + 1), let end = Self.endOfSubBlocks(bytes, from: start + 2) else {
            return nil
        }
        switch label {
        case 0xF9:
            try keepPending(withControl: false)
            pendingControl = start..<end
            let flags = bytes.byte(at: start + 3) ?? 0
            header.hasTransparency = header.hasTransparency || flags & 1 != 0
            // These bits are the disposal method (GIF89a, 23.c.iv).
            header.restoresPrevious = header.restoresPrevious || flags >> 2 & 7 == 3
            header.isPartlyUncovered = header.isPartlyUncovered || flags >> 2 & 7 == 2
            let delay = bytes.littleEndian16(at: start + 4) ?? 0
            self.delay = delay < Self.minDelay ? Self.usualDelay : delay
        case 0x01:
            // A plain text block, which browsers do not show, is removed with the graphic control block before it.
            try keepPending(withControl: false)
        case 0xFF where Self.isLoop(bytes, at: start + 2):
            readLoop(bytes, at: start + 14)
            if pendingControl == nil { try header.kept.keep(start..<end) } else { try pendingBlocks.keep(start..<end) }
        default: break
        }
        return end
    }

    /// Keeps the pending blocks, in the order of the file.
    ///
    /// - Parameter withControl: Whether an image follows, to which the graphic control block belongs.
    private mutating func keepPending(withControl: Bool) throws(MediaHeaderError) {
        if withControl, let control = pendingControl { try header.kept.keep(control) }
        for block in pendingBlocks.ranges { try header.kept.keep(block) }
        (pendingControl, pendingBlocks) = (nil, RetainedRanges())
    }

    /// Returns whether the first sub-block names an application extension with the number of repetitions.
    private static func isLoop(_ bytes: Span<UInt8>, at start: Int) -> Bool {
        bytes.byte(at: start) == 11
            && (bytes.spells("NETSCAPE2.0", at: start + 1) || bytes.spells("ANIMEXTS1.0", at: start + 1))
    }

    /// Reads the number of repetitions after the first playback; 0 repeats the animation forever.
    private mutating func readLoop(_ bytes: Span<UInt8>, at start: Int) {
        guard bytes.byte(at: start) == 3, bytes.byte(at: start + 1) == 1,
            let repetitions = bytes.littleEndian16(at: start + 2)
        else { return }
        header.plays = repetitions == 0 ? nil : repetitions + 1
    }

    /// Returns the offset of the descriptor of the first image; `nil` if the bytes end before it.
    static func firstImage(in bytes: Span<UInt8>) -> Int? {
        guard let flags = bytes.byte(at: 10) else { return nil }
        var offset = 13 + paletteBytes(flags)
        while bytes.byte(at: offset) == 0x21, let end = endOfSubBlocks(bytes, from: offset + 2) { offset = end }
        return bytes.byte(at: offset) == 0x2C ? offset : nil
    }

    /// Returns the area of an image on the screen; `nil` if the bytes end within its descriptor.
    static func area(_ bytes: Span<UInt8>, at start: Int) -> Rectangle<Int>? {
        guard let x = bytes.littleEndian16(at: start + 1), let y = bytes.littleEndian16(at: start + 3),
            let width = bytes.littleEndian16(at: start + 5), let height = bytes.littleEndian16(at: start + 7)
        else { return nil }
        return Rectangle(x: x, y: y, width: width, height: height)
    }

    static func paletteBytes(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }

    /// Returns the offset after the empty sub-block that ends a chain; `nil` if the bytes end before it.
    static func endOfSubBlocks(_ bytes: Span<UInt8>, from start: Int) -> Int? {
        var offset = start
        while let length = bytes.byte(at: offset) {
            offset += 1 + Int(length)
            if length == 0 { return offset }
        }
        return nil
    }
}
