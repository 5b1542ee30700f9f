import Base

/// The facts that the chunks of a WebP state (RFC 9649). No image data is decoded for them.
package struct WebPHeader: Sendable, Equatable {
    /// The width of the stored canvas in pixels, 1…16,777,216, before orientation.
    package var width: Int
    package var height: Int
    /// Whether the image, or the first frame of an animation, is coded without loss.
    package var isLossless: Bool
    /// Whether the file states that a pixel may be transparent.
    package var hasAlpha: Bool
    package var isAnimated: Bool
    /// The delay of each frame of an animation; empty for a still image.
    package var times: AnimationTimes
    /// The number of times that an animation is played, 1…65,535; `nil` if it is played forever.
    package var plays: Int?
    /// Whether the bytes have all chunks that the file's size field covers, and at least one of them is an image.
    package var isComplete: Bool
    package var orientation: ImageOrientation
    /// Whether the file has EXIF or XMP.
    package var hasMetadata: Bool
    /// The parts of a complete animation without EXIF, XMP and unknown chunks; `nil` for still images and cut files.
    package var kept: RetainedRanges?
    /// The range of the ICC profile; `nil` if none exists.
    package var profile: Range<Int>?

    /// The number of frames of an animation; 1 for a still image.
    package var frameCount: Int { max(1, times.count) }

    /// The number of bytes of the decoded canvas. A lossless image has four bytes per pixel. In a lossy image, a pixel
    /// has one and a half bytes for its colors and one byte for its alpha.
    package var decodedBytes: Int {
        let pixels = width * height
        return isLossless ? pixels * 4 : pixels * (hasAlpha ? 5 : 3) / 2
    }
}

extension WebPHeader {
    /// Walks the whole file.
    ///
    /// - Throws: `wrongFormat`, `truncated` before the size is known, or `malformed`. A file that ends later is no
    ///   error, but `isComplete` is false.
    package init(_ bytes: Span<UInt8>) throws(MediaHeaderError) { self = try WebPWalk.header(of: bytes) }
}

/// A single pass over the chunks of a WebP.
struct WebPWalk {
    private var canvas: PixelSize?
    private var image: PixelSize?
    private var isLossless = false
    private var hasAlpha = false
    private var isAnimated = false
    private var times = AnimationTimes()
    private var plays: Int? = 1
    /// The canvas chunk of a file in the extended format. `kept` has the chunks that stay after it.
    private var canvasChunk: [UInt8] = []
    private var kept = RetainedRanges()
    private var profile: Range<Int>?
    private var orientation: ImageOrientation?
    private var hasMetadata = false

    static func header(of bytes: Span<UInt8>) throws(MediaHeaderError) -> WebPHeader {
        guard bytes.code(at: 0) == "RIFF", bytes.code(at: 8) == "WEBP", let size = bytes.littleEndian32(at: 4) else {
            throw .wrongFormat
        }
        var walk = WebPWalk()
        let end = min(bytes.count, 8 + size)
        var offset = 12
        while let next = try walk.step(bytes, at: offset, end: end) { offset = next }
        guard let canvas = walk.canvas ?? walk.image else { throw .truncated("the WebP, before its image") }
        // libwebp refuses a still image that has not its canvas' size, which FFmpeg's decoder would show.
        if let image = walk.image, !walk.isAnimated, image != canvas {
            throw .malformed("WebP image: not of its canvas' size")
        }
        // Only some writers count the last padding byte in the size field.
        let isComplete = bytes.count >= 8 + size && offset >= end - 1 && (walk.image != nil || walk.times.count > 0)
        if walk.isAnimated, isComplete { try walk.rewriteHeader(of: bytes) }
        return WebPHeader(
            width: canvas.width, height: canvas.height, isLossless: walk.isLossless, hasAlpha: walk.hasAlpha,
            isAnimated: walk.isAnimated, times: walk.times, plays: walk.plays, isComplete: isComplete,
            orientation: walk.orientation ?? .upright, hasMetadata: walk.hasMetadata,
            kept: walk.isAnimated && isComplete ? walk.kept : nil, profile: walk.profile)
    }

    /// Reads the chunk at the offset and returns the offset of the next one; `nil` if the bytes end within the chunk.
    private mutating func step(_ bytes: Span<UInt8>, at start: Int, end: Int) throws(MediaHeaderError) -> Int? {
        guard let type = bytes.code(at: start), let length = bytes.littleEndian32(at: start + 4),
            start + 8 + length <= end
        else { return nil }
        let body = bytes.extracting(start + 8..<start + 8 + length)
        // Chunks are padded to an even number of bytes.
        let next = start + 8 + length + (length & 1)
        switch type {
        case "VP8X":
            guard let flags = body.byte(at: 0), let width = body.littleEndian24(at: 4),
                let height = body.littleEndian24(at: 7)
            else { throw .malformed("WebP canvas chunk") }
            // libwebp refuses a second canvas chunk, too.
            guard canvasChunk.isEmpty else { throw .malformed("WebP: a second canvas chunk") }
            canvas = PixelSize(width: width + 1, height: height + 1)
            hasAlpha = hasAlpha || flags & 0x10 != 0
            isAnimated = flags & 0x02 != 0
            canvasChunk = bytes.copy(start..<min(next, end))
        case "VP8 ": try readLossy(body)
        case "VP8L": try readLossless(body)
        case "ALPH": hasAlpha = true
        case "ANIM":
            isAnimated = true
            // The number of repetitions follows after the background color.
            plays = body.littleEndian16(at: 4).flatMap { $0 == 0 ? nil : $0 }
            try kept.keep(start..<min(next, end))
        case "ANMF":
            times.append(microseconds: (body.littleEndian24(at: 12) ?? 0) * 1_000)
            try kept.keep(start..<min(next, end))
        case "ICCP":
            if profile == nil { profile = start + 8..<start + 8 + length }
            try kept.keep(start..<min(next, end))
        case "EXIF":
            hasMetadata = true
            orientation = orientation ?? ImageOrientation.inExif(body)
        case "XMP ": hasMetadata = true
        default: break
        }
        return next
    }

    /// Writes a new file header for an animation whose metadata is removed.
    private mutating func rewriteHeader(of bytes: Span<UInt8>) throws(MediaHeaderError) {
        let count = kept.byteCount + canvasChunk.count
        guard hasMetadata || count + 12 != bytes.count else {
            kept = RetainedRanges()
            try kept.keep(0..<bytes.count)
            return
        }
        var header = bytes.copy(0..<12) + canvasChunk
        for byte in 0..<4 { header[4 + byte] = UInt8(truncatingIfNeeded: (count + 4) >> (8 * byte)) }
        // Two flags of the canvas chunk state that EXIF and XMP chunks follow.
        if canvasChunk.count > 8 { header[20] &= ~0x0C }
        kept.open(with: header)
    }

    /// Reads the size in the key frame header of VP8 (RFC 6386, 9.1).
    private mutating func readLossy(_ body: Span<UInt8>) throws(MediaHeaderError) {
        guard body.bigEndian16(at: 3) == 0x9D01, body.byte(at: 5) == 0x2A, let width = body.littleEndian16(at: 6),
            let height = body.littleEndian16(at: 8), width & 0x3FFF > 0, height & 0x3FFF > 0
        else { throw .malformed("WebP image header") }
        image = PixelSize(width: width & 0x3FFF, height: height & 0x3FFF)
    }

    /// Reads the header of VP8L (RFC 9649, 3.4): width - 1 and height - 1 in 14 bits each, then the alpha hint.
    private mutating func readLossless(_ body: Span<UInt8>) throws(MediaHeaderError) {
        guard body.byte(at: 0) == 0x2F, let bits = body.littleEndian32(at: 1) else {
            throw .malformed("WebP image header")
        }
        image = PixelSize(width: (bits & 0x3FFF) + 1, height: ((bits >> 14) & 0x3FFF) + 1)
        isLossless = true
        hasAlpha = hasAlpha || bits & 0x1000_0000 != 0
    }
}
