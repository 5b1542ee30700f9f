import Base

/// A single pass over the chunks of a PNG.
struct PNGWalk {
    /// The maximum number of chunks. Most writers store 8 kB in a chunk, so an image of 40 MB has 5,000 chunks.
    static let maxChunks = 65_536

    private var size: (width: Int, height: Int, bitDepth: Int, colorType: PNGHeader.ColorType)?
    private var hasTransparency = false
    private var animation = PNGAnimationChunks()
    /// Whether the chunks of an animation are left out, because one of them is damaged.
    private let leavesOutAnimation: Bool
    private var declaredFrames = 1
    private var plays: Int? = 1
    private var times = AnimationTimes()
    /// The compressed bytes of the current animation frame. The default image is counted in `dataBytes`.
    private var frameBytes = 0
    private var maxFrameBytes = 0
    private var hasData = false
    private var dataBytes = 0
    private var profile: Range<Int>?
    private var color: CodedColor?
    private var hasDefaultFrame = false
    private var isComplete = false
    private var orientation: ImageOrientation?
    private var kept = RetainedRanges()

    static func header(of bytes: Span<UInt8>) throws(MediaHeaderError) -> PNGHeader {
        var walk = try PNGWalk(bytes, leavesOutAnimation: false)
        // If the animation is damaged, browsers show the default image.
        if walk.animation.isDamaged { walk = try PNGWalk(bytes, leavesOutAnimation: true) }
        guard let size = walk.size else { throw .truncated("the PNG header") }
        guard max(walk.dataBytes, walk.maxFrameBytes) <= maxDataBytes(of: size) else {
            throw .excessive("PNG data bytes")
        }
        let declaresAlpha = size.colorType == .grayAlpha || size.colorType == .rgba
        return PNGHeader(
            width: size.width, height: size.height, bitDepth: size.bitDepth, colorType: size.colorType,
            hasAlpha: declaresAlpha || walk.hasTransparency,
            frameCount: max(1, max(walk.declaredFrames, walk.times.count)), times: walk.times,
            plays: walk.plays, isComplete: walk.isComplete,
            orientation: walk.orientation ?? .upright, color: walk.color, profile: walk.profile,
            hidesDefaultImage: walk.times.count > 0 && !walk.hasDefaultFrame, kept: walk.kept,
            hasMetadata: !walk.kept.isWhole(of: bytes.count))
    }

    private init(_ bytes: Span<UInt8>, leavesOutAnimation: Bool) throws(MediaHeaderError) {
        self.leavesOutAnimation = leavesOutAnimation
        guard bytes.bigEndian32(at: 0) == 0x8950_4E47, bytes.bigEndian32(at: 4) == 0x0D0A_1A0A else {
            throw .wrongFormat
        }
        try kept.keep(0..<8)
        var offset = 8
        var chunks = 0
        while let next = try step(bytes, at: offset) {
            offset = next
            chunks += 1
            guard chunks <= Self.maxChunks else { throw .excessive("PNG chunks") }
        }
    }

    /// Reads the chunk at the offset and returns that of the next one; `nil` at the end of the image or the bytes.
    private mutating func step(_ bytes: Span<UInt8>, at start: Int) throws(MediaHeaderError) -> Int? {
        guard let length = bytes.bigEndian32(at: start), let type = bytes.code(at: start + 4) else { return nil }
        guard length <= 0x7FFF_FFFF else {
            // Browsers show the rows before a chunk with an impossible length.
            if hasData { return nil }
            throw .malformed("PNG chunk length")
        }
        let end = start + 12 + length
        guard end <= bytes.count else { return nil }
        let body = bytes.extracting(start + 8..<end - 4)
        if size == nil, type == "CgBI" {
            throw .unsupported("Apple's CgBI form of PNG, which only Apple's systems read")
        }
        guard size != nil || type == "IHDR" else { throw .malformed("PNG: no header chunk first") }
        let isOfAnimation = PNGAnimationChunks.types.contains(type)
        if isOfAnimation {
            guard !leavesOutAnimation, let size else { return end }
            animation.read(
                type, body, screen: PixelSize(width: size.width, height: size.height), follows: hasData,
                isIntact: type == "fdAT" || length > 64 || Self.isIntact(bytes, start..<end))
        }
        let mayBeLeftOut = type.isAncillary && !isOfAnimation
        // A decoder also stops at an unknown critical chunk, and shows the rows before this chunk.
        if hasData, !type.isAncillary, !Self.criticalTypes.contains(type) { return nil }
        let isKept = try Self.isKept(type, length: length) && (!mayBeLeftOut || Self.isIntact(bytes, start..<end))
        switch type {
        case "IHDR": try readHeader(body)
        case "tRNS": hasTransparency = hasTransparency || isKept
        case "cICP" where isKept: color = color ?? Self.color(body)
        case "IDAT":
            if !hasData { hasDefaultFrame = times.count > 0 }
            hasData = true
            dataBytes += length
        case "acTL":
            declaredFrames = body.bigEndian32(at: 0) ?? 1
            plays = body.bigEndian32(at: 4).flatMap { $0 == 0 ? nil : $0 }
        case "fcTL":
            times.append(microseconds: Self.delay(body))
            frameBytes = 0
        case "fdAT":
            frameBytes += length
            maxFrameBytes = max(maxFrameBytes, frameBytes)
        case "eXIf": orientation = orientation ?? ImageOrientation.inExif(body)
        default: break
        }
        // A decoder inflates and stores each profile, although a PNG may have only one.
        let isUselessProfile = type == "iCCP" && (profile != nil || !Self.isProfile(body))
        if isKept, !isUselessProfile {
            try kept.keep(start..<end)
            if type == "iCCP" { profile = start..<end }
        }
        if type == "IEND" {
            isComplete = hasData
            return nil
        }
        return end
    }

    /// Returns the number of compressed bytes that the image data may have.
    ///
    /// The limit is twice the uncompressed size and 64 kB more, because the rows of an interlaced image may need twice
    /// their bytes. Deflate adds less than 1 % to data that it cannot compress. A decoder inflates all compressed
    /// bytes, even those after the last row, and deflate expands them up to a thousand times.
    private static func maxDataBytes(
        of size: (width: Int, height: Int, bitDepth: Int, colorType: PNGHeader.ColorType)
    ) -> Int {
        let row = size.width.multipliedOrMax(by: size.bitDepth * size.colorType.samples).addedOrMax(7) / 8 + 1
        return row.multipliedOrMax(by: size.height).multipliedOrMax(by: 2).addedOrMax(65_536)
    }

    /// Returns the delay in a frame control chunk, a fraction of a second, in microseconds. A denominator of 0 is 100.
    private static func delay(_ body: Span<UInt8>) -> Int {
        let denominator = body.bigEndian16(at: 22) ?? 0
        return (body.bigEndian16(at: 20) ?? 0) * 1_000_000 / (denominator == 0 ? 100 : denominator)
    }

    private mutating func readHeader(_ body: Span<UInt8>) throws(MediaHeaderError) {
        guard size == nil else { throw .malformed("PNG: a second header chunk") }
        guard body.count == 13, let width = body.bigEndian32(at: 0), let height = body.bigEndian32(at: 4),
            (1...0x7FFF_FFFF).contains(width), (1...0x7FFF_FFFF).contains(height),
            let colorType = PNGHeader.ColorType(rawValue: body[9]), [1, 2, 4, 8, 16].contains(body[8])
        else { throw .malformed("PNG header chunk") }
        size = (width, height, Int(body[8]), colorType)
    }

    private static let criticalTypes: Set<FourCharacterCode> = ["IHDR", "PLTE", "IDAT", "IEND"]

    private static func isKept(_ type: FourCharacterCode, length: Int) throws(MediaHeaderError) -> Bool {
        switch type {
        case "IHDR", "PLTE", "IDAT", "IEND", "acTL", "fcTL", "fdAT": return true
        case "tRNS": return length <= 256
        case "gAMA", "cICP": return length == 4
        case "cHRM": return length == 32
        case "sRGB": return length == 1
        case "sBIT": return (1...4).contains(length)
        case "pHYs": return length == 9
        case "iCCP": return length <= PNGHeader.maxProfileBytes
        default:
            // The first letter of a critical chunk is a capital. A decoder cannot show the image without such a chunk.
            guard type.isAncillary else { throw .malformed("PNG: unknown critical chunk") }
            return false
        }
    }

    /// Returns whether the checksum of a chunk is right (PNG, annex D). Decoders ignore damaged ancillary chunks.
    ///
    /// - Parameter chunk: The range of the chunk, which has at most a few kilobytes.
    private static func isIntact(_ bytes: Span<UInt8>, _ chunk: Range<Int>) -> Bool {
        var sum = UInt32.max
        for offset in chunk.lowerBound + 4..<chunk.upperBound - 4 {
            sum ^= UInt32(bytes[offset])
            for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xEDB8_8320 }
        }
        return bytes.bigEndian32(at: chunk.upperBound - 4) == Int(~sum)
    }

    /// Returns whether a profile chunk begins with a name, its one compression method, and a zlib header (RFC 1950).
    private static func isProfile(_ body: Span<UInt8>) -> Bool {
        var end = 0
        while let byte = body.byte(at: end), byte != 0, end < 80 { end += 1 }
        guard (1...79).contains(end), body.byte(at: end + 1) == 0, let header = body.bigEndian16(at: end + 2) else {
            return false
        }
        return header >> 8 & 15 == 8 && header % 31 == 0
    }

    /// Returns the colors of a cICP chunk (PNG, third edition, 11.3.2.6); `nil` unless they are RGB of the full range.
    private static func color(_ body: Span<UInt8>) -> CodedColor? {
        guard body.count == 4, body[2] == 0, body[3] == 1 else { return nil }
        return CodedColor(primaries: Int(body[0]), transfer: Int(body[1]), matrix: 0, isFullRange: true)
    }
}

extension FourCharacterCode {
    /// Whether an image can be shown without the chunk. The first letter of such a chunk is lowercase.
    fileprivate var isAncillary: Bool { rawValue & 0x2000_0000 != 0 }
}
