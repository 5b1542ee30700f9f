import Base
import MediaHeaders
import TestSupport
import Testing

@Suite struct ICOHeaderTests {
    /// The bitmap has 2 × 2 pixels of 24 bits.
    static let small = SampleICO.bitmap(
        side: 2, bits: 24, pixels: [UInt8](repeating: 50, count: 16), mask: [UInt8](repeating: 0, count: 8))
    static let large = SampleICO.bitmap(
        side: 4, bits: 32, pixels: [UInt8](repeating: 50, count: 64), mask: [UInt8](repeating: 0, count: 16))

    @Test func `the best image of a real icon is its PNG`() throws {
        let bytes = SampleFile.fixture("icon.ico")
        let header = try ICOHeader(file: bytes)
        #expect(header.kind == .icon && header.isComplete)
        #expect(header.entries.map(\.width) == [16, 32, 48, 256])
        #expect(header.entries.map(\.bitDepth) == [32, 32, 32, 32])
        #expect(header.best.content == .png && [header.width, header.height] == [256, 256])
        let png = try PNGHeader(file: Array(bytes[header.best.range]))
        #expect(png.width == 256 && png.isComplete && png.hasAlpha)
        #expect(header.decodedBytes == 256 * 256 * 4)
        #expect(MediaSignature.of(file: bytes) == .ico)
    }

    @Test func `the bitmaps of a real icon have the right ranges of palette, pixels and mask`() throws {
        let bytes = SampleFile.fixture("icon-dib.ico")
        let header = try ICOHeader(file: bytes)
        #expect(header.entries.map(\.width) == [32, 32, 48])
        #expect(header.entries.map(\.bitDepth) == [8, 32, 32])
        #expect(header.best.width == 48 && header.isComplete)
        guard case .bitmap(let indexed) = header.entries[0].content else {
            Issue.record("the image is not a bitmap")
            return
        }
        #expect(indexed.palette?.lowerBound == header.entries[0].range.lowerBound + 40)
        #expect(indexed.rowBytes == 32 && indexed.maskRowBytes == 4 && indexed.pixelArray.count == 1_024)
        #expect(indexed.mask == indexed.pixelArray.upperBound..<header.entries[0].range.upperBound)
        #expect(indexed.isComplete && indexed.masks == nil && indexed.colorBytes == 4)
    }

    @Test func `a cursor is read as an icon`() throws {
        var sample = SampleICO([Self.small])
        sample.type = 2
        #expect(try ICOHeader(file: sample.bytes).kind == .cursor)
        #expect(MediaSignature.of(file: [0, 0, 2, 0, 1, 0, 16, 16, 0, 0]) == .ico)
    }

    @Test
    func `a complete image takes precedence over a larger image, and the size takes precedence over the bit depth`()
        throws
    {
        let gray = SampleICO.bitmap(
            side: 4, bits: 24, pixels: [UInt8](repeating: 0, count: 48), mask: [UInt8](repeating: 0, count: 16))
        #expect(try ICOHeader(file: SampleICO([Self.small, gray, Self.large, gray]).bytes).best.bitDepth == 32)
        var sample = SampleICO([Self.small, Self.large])
        #expect(try ICOHeader(file: sample.bytes).width == 4)
        sample.entries[1].content.removeLast(20)
        let cut = try ICOHeader(file: sample.bytes)
        #expect(cut.width == 2 && cut.isComplete && cut.entries.count == 2)
        sample.entries.removeFirst()
        let only = try ICOHeader(file: sample.bytes)
        #expect(only.width == 4 && !only.isComplete)
    }

    @Test func `a smaller whole image takes precedence over a truncated PNG`() throws {
        var sample = SampleICO([SampleFile.png(), Self.small])
        #expect(try ICOHeader(file: sample.bytes).best.content == .png)
        sample.entries[0].count = SampleFile.png().count - 12
        #expect(try ICOHeader(file: sample.bytes).width == 2)
    }

    @Test func `a bitmap without a mask is complete if it has alpha`() throws {
        var sample = SampleICO([Self.large])
        sample.entries[0].content.removeLast(16)
        let header = try ICOHeader(file: sample.bytes)
        guard case .bitmap(let bitmap) = header.best.content else {
            Issue.record("the image is not a bitmap")
            return
        }
        #expect(bitmap.mask == nil && header.isComplete)
        sample = SampleICO([Self.small])
        sample.entries[0].content.removeLast(8)
        #expect(try !ICOHeader(file: sample.bytes).isComplete)
    }

    @Test func `an entry that cannot be read is skipped`() throws {
        var sample = SampleICO([Self.small, Self.small, Array("what is this? not a bitmap".utf8)])
        sample.entries[0].offset = 0xFFFF_FFFF
        sample.declaredEntries = 65_535
        let header = try ICOHeader(file: sample.bytes)
        #expect(header.entries.count == 1 && header.width == 2 && header.isComplete)
    }

    @Test(arguments: [
        SampleBMP(width: 1_025, height: 2, bitDepth: 1, palette: [UInt8](repeating: 0, count: 8)),
        SampleBMP(width: 2, height: 2_050), SampleBMP(height: 4, bitDepth: 2), SampleBMP(height: 4, compression: 4),
        SampleBMP(height: 4, bitDepth: 8, compression: 1, palette: [UInt8](repeating: 0, count: 1_024)),
    ])
    func `an icon bitmap of an unsupported kind is refused`(_ sample: SampleBMP) {
        #expect {
            try ICOHeader(file: SampleICO([sample.dib]).bytes)
        } throws: { error in
            guard case .unsupported = error as? MediaHeaderError else { return false }
            return true
        }
    }

    @Test(arguments: [SampleBMP(height: 3), SampleBMP(height: -4), SampleBMP(width: 0, height: 4)])
    func `an icon bitmap of an impossible size is malformed`(_ sample: SampleBMP) {
        #expect {
            try ICOHeader(file: SampleICO([sample.dib]).bytes)
        } throws: { error in
            guard case .malformed = error as? MediaHeaderError else { return false }
            return true
        }
    }

    @Test func `an empty directory is malformed, and a short directory is truncated`() {
        #expect(throws: MediaHeaderError.malformed("icon directory: empty")) {
            try ICOHeader(file: [0, 0, 1, 0, 0, 0])
        }
        #expect(throws: MediaHeaderError.truncated("the icon directory")) {
            try ICOHeader(file: [0, 0, 1, 0, 3, 0, 16, 16])
        }
        #expect(throws: MediaHeaderError.wrongFormat) { try ICOHeader(file: [0, 0, 3, 0, 1, 0]) }
        #expect(throws: MediaHeaderError.wrongFormat) { try ICOHeader(file: []) }
    }

    @Test func `a long PNG is parsed only a few times if many directory entries refer to this PNG`() throws {
        let chunk = SampleFile.pngChunk("tEXt", [])
        let png = SampleFile.png(extra: [[UInt8]](repeating: chunk, count: 10_000).flatMap { $0 })
        var sample = SampleICO([[UInt8]](repeating: [], count: 256))
        sample.entries[255].content = png
        for index in 0..<256 {
            sample.entries[index].offset = 6 + 16 * 256
            sample.entries[index].count = png.count - 1 - index
        }
        let bytes = sample.bytes
        let clock = ContinuousClock()
        let start = clock.now
        #expect(try !ICOHeader(file: bytes).isComplete)
        #expect(start.duration(to: clock.now) < .seconds(10))
    }
}
