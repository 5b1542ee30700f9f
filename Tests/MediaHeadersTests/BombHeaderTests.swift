import MediaHeaders
import TestSupport
import Testing

/// Tests of headers whose files would cost a decoder far more than their size.
@Suite struct BombHeaderTests {
    @Test func `a PNG keeps the first of several color profiles`() throws {
        let profile = SampleFile.pngChunk("iCCP", Array("a\0\0".utf8) + [0x78, 0x01])
        let header = try PNGHeader(SampleFile.png(extra: profile + profile + profile).span)
        #expect(header.kept.byteCount == SampleFile.png(extra: profile).count)
        #expect(header.hasMetadata)
    }

    @Test func `a PNG with too many chunks is refused`() throws {
        let chunk = SampleFile.pngChunk("tEXt", [])
        let chunks = { (count: Int) in SampleFile.png(extra: Array((0..<count).map { _ in chunk }.joined())) }
        // The header and data chunks are counted as well. The walk ends at the end chunk, which is not counted.
        #expect(try PNGHeader(chunks(65_534).span).isComplete)
        #expect(throws: MediaHeaderError.excessive("PNG chunks")) { try PNGHeader(chunks(65_536).span) }
    }

    @Test func `a PNG with far more data than its pixels need is refused`() throws {
        // An image of 7 by 5 pixels with four bytes each has 145 bytes, with one byte at the start of each row.
        let data = { (count: Int) in
            SampleFile.png(extra: SampleFile.pngChunk("IDAT", [UInt8](repeating: 0, count: count)))
        }
        #expect(try PNGHeader(data(65_536 + 2 * 145 - 3).span).isComplete)
        #expect(throws: MediaHeaderError.excessive("PNG data bytes")) {
            try PNGHeader(data(65_536 + 2 * 145 - 2).span)
        }
    }

    @Test func `overlapping extents of HEIF items are each counted`() throws {
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
