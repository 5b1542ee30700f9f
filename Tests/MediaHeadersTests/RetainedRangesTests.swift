import Base
import MediaHeaders
import TestSupport
import Testing

@Suite struct RetainedRangesTests {
    private func cut(_ bytes: [UInt8], _ kept: RetainedRanges) -> [UInt8] {
        kept.ranges.flatMap { bytes[$0] }
    }

    @Test func `a stripped JPEG has JFIF, Adobe and ICC, and has no other metadata and no trailing bytes`() throws {
        let kept =
            SampleFile.jpegSegment(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1, 9])
            + SampleFile.jpegSegment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 1])
        let dropped =
            SampleFile.jpegSegment(0xE1, Array("Exif\0\0".utf8) + SampleFile.exif(orientation: 1))
            + SampleFile.jpegSegment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8))
            + SampleFile.jpegSegment(0xED, Array("Photoshop 3.0\0".utf8)) + SampleFile.jpegSegment(0xFE, [65, 66])
            + SampleFile.jpegSegment(0xE2, Array("MPF\0".utf8))
        let bytes = SampleFile.jpeg(extra: dropped + kept) + [1, 2, 3]
        let header = try JPEGHeader(file: bytes)
        #expect(cut(bytes, header.kept) == SampleFile.jpeg(extra: kept))
        #expect(header.kept.byteCount == SampleFile.jpeg(extra: kept).count)
    }

    @Test func `the bytes of a JPEG without metadata do not change`() throws {
        let bytes = SampleFile.jpeg()
        let header = try JPEGHeader(file: bytes)
        #expect(!header.hasMetadata)
        #expect(header.kept.ranges == [0..<bytes.count])
    }

    @Test func `a stripped PNG has no text, time, EXIF or huge profiles, and has its color and animation`() throws {
        let control: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 5] + [UInt8](repeating: 0, count: 14)
        let kept =
            SampleFile.pngChunk("gAMA", [0, 0, 0, 1]) + SampleFile.pngChunk("iCCP", Array("a\0\0".utf8) + [0x78, 0x01])
            + SampleFile.pngChunk("pHYs", [UInt8](repeating: 0, count: 9))
            + SampleFile.pngChunk("acTL", [0, 0, 0, 2, 0, 0, 0, 0]) + SampleFile.pngChunk("fcTL", control)
            + SampleFile.pngChunk("fdAT", [0, 0, 0, 1])
        let dropped =
            SampleFile.pngChunk("tEXt", [65]) + SampleFile.pngChunk("zTXt", [65])
            + SampleFile.pngChunk("iTXt", [65]) + SampleFile.pngChunk("tIME", [65])
            + SampleFile.pngChunk("eXIf", SampleFile.exif(orientation: 1))
            + SampleFile.pngChunk("iCCP", [UInt8](repeating: 0, count: PNGHeader.maxProfileBytes + 1))
        let bytes = SampleFile.png(extra: dropped + kept) + [9, 9]
        let header = try PNGHeader(file: bytes)
        #expect(cut(bytes, header.kept) == SampleFile.png(extra: kept))
    }

    @Test(arguments: [(0, true), (1, true), (2, false), (9, false)] as [(UInt8, Bool)])
    func `an Adobe segment is kept if its transform applies to three components`(_ transform: UInt8, _ stays: Bool)
        throws
    {
        let adobe = SampleFile.jpegSegment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, transform])
        let bytes = SampleFile.jpeg(extra: adobe)
        let header = try JPEGHeader(file: bytes)
        #expect(cut(bytes, header.kept) == (stays ? bytes : SampleFile.jpeg()))
        #expect(header.kept.byteCount == cut(bytes, header.kept).count)
        #expect(header.adobeTransform == (stays ? transform : nil))
        #expect(header.hasMetadata != stays)
    }

    @Test func `all Adobe segments are removed if the transform of the last one does not apply`() throws {
        let segments = [0, 1, 2].map { SampleFile.jpegSegment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, $0]) }
        let bytes = SampleFile.jpeg(extra: segments[0] + SampleFile.jpegSegment(0xFE, [65]) + segments[1] + segments[2])
        let header = try JPEGHeader(file: bytes)
        #expect(cut(bytes, header.kept) == SampleFile.jpeg())
        #expect(header.kept.byteCount == SampleFile.jpeg().count)
        #expect(header.adobeTransform == nil)
    }

    @Test func `a loop block between a control block and its image keeps its position`() throws {
        let control: [UInt8] = [0x21, 0xF9, 4, 1, 7, 0, 0, 0]
        let loop = [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
        let text: [UInt8] = [0x21, 0x01, 1, 65, 0]
        let image: [UInt8] = [0x2C, 0, 0, 0, 0, 2, 0, 1, 0, 0, 2, 2, 0x44, 0x01, 0]
        let screen = Array("GIF89a".utf8) + [2, 0, 1, 0, 0, 0, 0]
        let whole = screen + control + loop + image + [0x3B]
        let header = try GIFHeader(file: whole)
        #expect(header.kept.ranges == [0..<whole.count])
        #expect(!header.hasMetadata)
        // A plain text uses the control block, so both are removed. The loop stays.
        let withText = screen + control + loop + text + image + [0x3B]
        #expect(cut(withText, try GIFHeader(file: withText).kept) == screen + loop + image + [0x3B])
        let replaced = screen + control + loop + whole[screen.count...]
        #expect(cut(replaced, try GIFHeader(file: replaced).kept) == screen + loop + whole[screen.count...])
    }

    @Test(arguments: [[], [0], [0, 0, 0x3B], Array("junk".utf8)] as [[UInt8]])
    func `a stripped GIF has a trailer, even if the source has other bytes in its place`(_ junk: [UInt8]) throws {
        let whole = SampleFile.gif()
        let bytes = whole.dropLast() + junk
        let header = try GIFHeader(file: bytes)
        #expect(header.isComplete && header.hasMetadata && header.frameCount == 2)
        let closed = cut(bytes, header.kept) + header.kept.ending
        #expect(closed == cut(whole, try GIFHeader(file: whole).kept))
        #expect(header.kept.byteCount == closed.count)
    }

    @Test func `a GIF that lacks only its trailer is reported as changed`() throws {
        let plain = cut(SampleFile.gif(), try GIFHeader(file: SampleFile.gif()).kept)
        #expect(try !GIFHeader(file: plain).hasMetadata)
        #expect(try GIFHeader(file: plain.dropLast()).hasMetadata)
    }

    @Test func `a stripped GIF has no comments and no unknown blocks, and has its loop and delays`() throws {
        let bytes = SampleFile.gif()
        let header = try GIFHeader(file: bytes)
        let stripped = cut(bytes, header.kept)
        let again = try GIFHeader(file: stripped)
        #expect(header.kept.ending.isEmpty)
        #expect(!again.hasMetadata)
        #expect(again.frameCount == 2)
        #expect(again.durationMilliseconds == 140)
        #expect(!stripped.contains(Array("who".utf8)))
        #expect(!stripped.contains(Array("XMP".utf8)))
        #expect(stripped.contains(Array("NETSCAPE2.0".utf8)))
    }

    @Test(arguments: ["photo-exif-small.jpg", "portrait-exif.png", "animation.gif"])
    func `a stripped file has the same size and no metadata when it is parsed again`(_ name: String) throws {
        let bytes = SampleFile.fixture(name)
        switch MediaSignature.of(file: bytes) {
        case .jpeg:
            let header = try JPEGHeader(file: bytes)
            let again = try JPEGHeader(file: cut(bytes, header.kept))
            #expect(header.hasMetadata && !again.hasMetadata)
            #expect(again.width == header.width && again.isComplete && again.orientation == .upright)
        case .png:
            let header = try PNGHeader(file: bytes)
            let again = try PNGHeader(file: cut(bytes, header.kept))
            #expect(header.orientation != .upright && !again.hasMetadata)
            #expect(again.width == header.width && again.isComplete && again.orientation == .upright)
        default:
            let header = try GIFHeader(file: bytes)
            let again = try GIFHeader(file: cut(bytes, header.kept))
            #expect(!again.hasMetadata && again.frameCount == header.frameCount && again.isComplete)
        }
    }
}
