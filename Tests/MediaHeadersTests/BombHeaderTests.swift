import MediaHeaders
import TestSupport
import Testing

/// Headers of files that would cost a decoder far more than they have bytes.
@Suite struct BombHeaderTests {
    @Test func `a PNG keeps the first of several colour profiles`() throws {
        let profile = SampleFile.pngChunk("iCCP", Array("a\0\0".utf8) + [0x78, 0x01])
        let header = try PNGHeader(SampleFile.png(extra: profile + profile + profile).span)
        #expect(header.kept.byteCount == SampleFile.png(extra: profile).count)
        #expect(header.hasMetadata)
    }

    @Test func `a PNG of too many chunks is refused`() throws {
        let chunk = SampleFile.pngChunk("tEXt", [])
        let chunks = { (count: Int) in SampleFile.png(extra: Array((0..<count).map { _ in chunk }.joined())) }
        // The header, the data and the end count too; the last is not walked past.
        #expect(try PNGHeader(chunks(65_534).span).isComplete)
        #expect(throws: MediaHeaderError.excessive("PNG chunks")) { try PNGHeader(chunks(65_536).span) }
    }

    @Test func `a PNG with far more data than its pixels can have is refused`() throws {
        // 7 by 5 pixels of four bytes have 145 bytes with what their rows begin with.
        let data = { (count: Int) in
            SampleFile.png(extra: SampleFile.pngChunk("IDAT", [UInt8](repeating: 0, count: count)))
        }
        #expect(try PNGHeader(data(65_536 + 2 * 145 - 3).span).isComplete)
        #expect(throws: MediaHeaderError.excessive("PNG data bytes")) {
            try PNGHeader(data(65_536 + 2 * 145 - 2).span)
        }
    }

    @Test func `extents of HEIF items that overlap are counted each`() throws {
        var file = SampleHEIF.still()
        file.media = [UInt8](repeating: 0, count: 1 << 20)
        file.items[0].extents = [(offset: Int, length: Int)](repeating: (0, 1 << 20), count: 64)
        #expect(try HEIFHeader(file: file.bytes).isComplete)
        file.items[0].extents.append((0, 1))
        #expect(throws: MediaHeaderError.excessive("coded bytes of HEIF items")) {
            try HEIFHeader(file: file.bytes)
        }
    }
}
