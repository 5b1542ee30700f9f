/// A single pass over the blocks of a GIF.
struct GIFWalk {
    /// The shortest delay that players use, in hundredths of a second. Players show a frame with a shorter delay for
    /// `usualDelay`.
    static let leastDelay = 2
    static let usualDelay = 10

    private let width: Int
    private let height: Int
    private var decodedWidth: Int
    private var decodedHeight: Int
    /// The maximum number of frames that are kept.
    private let mostFrames: Int
    private let mostHundredths: Int
    private var frameCount = 0
    private var hundredths = 0
    /// The delay in the graphic control block before the next frame, in hundredths of a second.
    private var delay = GIFWalk.usualDelay
    private var delays: [Int] = []
    /// The number of frames that are kept so far.
    private var keptFrames = 0
    private var keptHundredths = 0
    private var plays: Int? = 1
    private var hasTransparency = false
    private var restoresPrevious = false
    private var isPartlyUncovered = false
    private var isFirstFrameEmpty = false
    private var isComplete = false
    private var kept = RetainedRanges()
    /// The graphic control block of an image that is not yet read; `nil` if none exists.
    private var pendingControl: Range<Int>?
    /// The blocks after `pendingControl` that are kept with or without it.
    private var pendingBlocks = RetainedRanges()

    private init(width: Int, height: Int, mostFrames: Int, mostMilliseconds: Int) {
        self.width = width
        self.height = height
        (decodedWidth, decodedHeight) = (width, height)
        self.mostFrames = mostFrames
        mostHundredths = mostMilliseconds / 10
    }

    static func header(
        of bytes: Span<UInt8>, leastFrames: Int, mostFrames: Int, mostMilliseconds: Int
    ) throws(MediaHeaderError) -> GIFHeader {
        guard bytes.spells("GIF87a", at: 0) || bytes.spells("GIF89a", at: 0) else { throw .wrongFormat }
        guard let width = bytes.littleEndian16(at: 6), let height = bytes.littleEndian16(at: 8),
            let flags = bytes.byte(at: 10)
        else { throw .truncated("the GIF header") }
        guard width > 0, height > 0 else { throw .malformed("GIF screen size") }
        let first = 13 + paletteBytes(flags)
        guard first <= bytes.count else { throw .truncated("the GIF palette") }
        var walk = GIFWalk(
            width: width, height: height, mostFrames: mostFrames, mostMilliseconds: mostMilliseconds)
        try walk.kept.keep(0..<first)
        var offset = first
        while let next = try walk.step(bytes, at: offset) { offset = next }
        guard walk.frameCount >= leastFrames else { throw .truncated("the GIF, before its first image") }
        if !walk.isComplete { walk.kept.close(with: [0x3B]) }
        return GIFHeader(
            width: width, height: height, decodedWidth: walk.decodedWidth, decodedHeight: walk.decodedHeight,
            frameCount: walk.keptFrames, sourceFrameCount: walk.frameCount,
            durationMilliseconds: walk.keptHundredths * 10, delays: walk.delays, plays: walk.plays,
            hasTransparency: walk.hasTransparency, restoresPrevious: walk.restoresPrevious,
            isPartlyUncovered: walk.isPartlyUncovered, isEmpty: walk.isFirstFrameEmpty && walk.frameCount == 1,
            isComplete: walk.isComplete,
            kept: walk.kept, hasMetadata: !walk.kept.isWhole(of: bytes.count))
    }

    /// Reads the block at the offset and returns the offset of the next block; `nil` at the end of the animation or the
    /// bytes.
    private mutating func step(_ bytes: Span<UInt8>, at start: Int) throws(MediaHeaderError) -> Int? {
        switch bytes.byte(at: start) {
        case 0x2C:
            guard let flags = bytes.byte(at: start + 9) else { return nil }
            // After a whole image, an image whose code size is invalid ends the file (GIF89a, appendix F).
            if frameCount > 0, let bits = bytes.byte(at: start + 10 + Self.paletteBytes(flags)),
                !(1...11).contains(bits)
            {
                return try endHere()
            }
            // After the palette, one byte has the code size. The image data follow.
            guard let end = Self.endOfSubBlocks(bytes, from: start + 11 + Self.paletteBytes(flags)) else { return nil }
            if frameCount == 0, !covers(bytes, at: start) { isPartlyUncovered = true }
            if frameCount == 0, end == start + 12 + Self.paletteBytes(flags) { isFirstFrameEmpty = true }
            hundredths += delay
            // The first frame is kept, however long its delay is.
            let isWithin = keptFrames == 0 || keptFrames < mostFrames && hundredths <= mostHundredths
            if !isCut, isWithin {
                try keepPending(withControl: true)
                try kept.keep(start..<end)
                noteDecodedScreen(of: bytes, at: start)
                keptFrames += 1
                keptHundredths = hundredths
                delays.append(delay * 10)
            } else {
                (pendingControl, pendingBlocks) = (nil, RetainedRanges())
            }
            frameCount += 1
            delay = Self.usualDelay
            return end
        case 0x21:
            return try readExtension(bytes, at: start)
        case 0x3B:
            try keepPending(withControl: false)
            try kept.keep(start..<start + 1)
            isComplete = true
            return nil
        case let other:
            guard frameCount > 0 else {
                guard other == nil else { throw .malformed("GIF block") }
                return nil
            }
            return try endHere()
        }
    }

    /// Ends the file before a malformed block.
    private mutating func endHere() throws(MediaHeaderError) -> Int? {
        try keepPending(withControl: false)
        kept.close(with: [0x3B])
        isComplete = true
        return nil
    }

    /// Enlarges the decoded screen for one frame.
    ///
    /// FFmpeg's decoder needs a screen that is at least as large as each frame, and on which each frame begins.
    private mutating func noteDecodedScreen(of bytes: Span<UInt8>, at start: Int) {
        func side(_ screen: Int, _ decoded: Int, _ offset: Int?, _ length: Int?) -> Int {
            let offset = offset ?? 0
            return max(decoded, length ?? 0, offset >= screen ? offset + 1 : 0)
        }
        decodedWidth = side(
            width, decodedWidth, bytes.littleEndian16(at: start + 1), bytes.littleEndian16(at: start + 5))
        decodedHeight = side(
            height, decodedHeight, bytes.littleEndian16(at: start + 3), bytes.littleEndian16(at: start + 7))
    }

    /// Whether a frame was left out. All frames after it are left out, too.
    private var isCut: Bool { keptFrames < frameCount }

    /// Returns whether the frame of an image descriptor covers the whole screen.
    private func covers(_ bytes: Span<UInt8>, at start: Int) -> Bool {
        bytes.littleEndian16(at: start + 1) == 0 && bytes.littleEndian16(at: start + 3) == 0
            && bytes.littleEndian16(at: start + 5) ?? 0 >= width && bytes.littleEndian16(at: start + 7) ?? 0 >= height
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
            hasTransparency = hasTransparency || flags & 1 != 0
            // These bits are the disposal method (GIF89a, 23.c.iv).
            restoresPrevious = restoresPrevious || flags >> 2 & 7 == 3
            isPartlyUncovered = isPartlyUncovered || flags >> 2 & 7 == 2
            let delay = bytes.littleEndian16(at: start + 4) ?? 0
            self.delay = delay < Self.leastDelay ? Self.usualDelay : delay
        case 0x01:
            // A plain text block uses the graphic control block before it. Browsers show no plain texts, so both are
            // removed.
            try keepPending(withControl: false)
        case 0xFF where Self.isLoop(bytes, at: start + 2):
            readLoop(bytes, at: start + 14)
            if pendingControl == nil { try kept.keep(start..<end) } else { try pendingBlocks.keep(start..<end) }
        default: break
        }
        return end
    }

    /// Keeps the pending blocks, in the order of the file.
    ///
    /// - Parameter withControl: Whether an image follows, to which the graphic control block belongs.
    private mutating func keepPending(withControl: Bool) throws(MediaHeaderError) {
        if withControl, let control = pendingControl { try kept.keep(control) }
        for block in pendingBlocks.ranges { try kept.keep(block) }
        (pendingControl, pendingBlocks) = (nil, RetainedRanges())
    }

    /// Returns whether the first sub-block of an application extension names an extension with the number of
    /// repetitions.
    private static func isLoop(_ bytes: Span<UInt8>, at start: Int) -> Bool {
        bytes.byte(at: start) == 11
            && (bytes.spells("NETSCAPE2.0", at: start + 1) || bytes.spells("ANIMEXTS1.0", at: start + 1))
    }

    /// Reads the number of repetitions after the first playback; 0 repeats the animation forever.
    private mutating func readLoop(_ bytes: Span<UInt8>, at start: Int) {
        guard bytes.byte(at: start) == 3, bytes.byte(at: start + 1) == 1,
            let repetitions = bytes.littleEndian16(at: start + 2)
        else { return }
        plays = repetitions == 0 ? nil : repetitions + 1
    }

    /// Returns the offset of the descriptor of the first image; `nil` if the bytes end before it.
    static func firstImage(in bytes: Span<UInt8>) -> Int? {
        guard let flags = bytes.byte(at: 10) else { return nil }
        var offset = 13 + paletteBytes(flags)
        while bytes.byte(at: offset) == 0x21, let end = endOfSubBlocks(bytes, from: offset + 2) { offset = end }
        return bytes.byte(at: offset) == 0x2C ? offset : nil
    }

    static func paletteBytes(_ flags: UInt8) -> Int {
        flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)
    }

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
