import Base
import MediaHeaders
import TestSupport
import Testing

@Suite struct BMPHeaderTests {
    @Test(arguments: [
        ("bmp-24.bmp", 24, false), ("bmp-topdown.bmp", 24, true), ("bmp-8-palette.bmp", 8, false),
        ("bmp-rle8.bmp", 8, false), ("bmp-32-alpha.bmp", 32, false),
    ])
    func `a real BMP has its size, coding and completeness`(_ name: String, _ bits: Int, _ isTopDown: Bool) throws {
        let bytes = SampleFile.fixture(name)
        let header = try BMPHeader(file: bytes)
        #expect([header.width, header.height, header.bitDepth] == [96, 64, bits])
        #expect(header.isTopDown == isTopDown && header.isComplete)
        #expect(header.compression == (name.contains("rle") ? .rle8 : bits == 32 ? .bitfields : .rgb))
        #expect(header.hasAlpha == name.contains("alpha") && !header.hasUnusedByte)
        #expect((header.palette != nil) == (bits == 8))
        #expect(header.pixelArray.upperBound == bytes.count)
        #expect(header.decodedBytes == 96 * 64 * bits / 8)
        #expect(MediaSignature.of(file: bytes) == .bmp)
    }

    @Test(arguments: [40, 56, 64, 108, 124], [24, 32])
    func `a bitmap header of each known length is read`(_ headerBytes: Int, _ bits: Int) throws {
        let sample = SampleBMP(headerBytes: headerBytes, bitDepth: bits)
        let header = try BMPHeader(file: sample.bytes)
        #expect([header.width, header.height, header.bitDepth] == [4, 3, bits])
        #expect(header.isComplete && !header.hasAlpha && header.hasUnusedByte == (bits == 32))
        #expect(header.pixelArray == 14 + headerBytes..<sample.bytes.count)
    }

    @Test func `the shortest header has sizes of 16 bits and palette colors of three bytes`() throws {
        let sample = SampleBMP(
            headerBytes: 12, width: 9, height: 65_535, bitDepth: 1, palette: [1, 2, 3, 4, 5, 6], pixels: [0])
        let header = try BMPHeader(file: sample.bytes)
        #expect([header.width, header.height] == [9, 65_535])
        #expect(header.palette == 26..<32 && !header.isComplete)
    }

    @Test(arguments: [
        ([0xFF0000, 0xFF00, 0xFF, 0xFF00_0000], 32), ([0xFF, 0xFF00, 0xFF0000, 0xFF00_0000], 32),
        ([0xFF00_0000, 0xFF0000, 0xFF00, 0xFF], 32), ([0xFF00, 0xFF0000, 0xFF00_0000, 0xFF], 32),
        ([0xF800, 0x7E0, 0x1F], 16), ([0x7C00, 0x3E0, 0x1F], 16), ([0xF00, 0xF0, 0xF], 16),
    ])
    func `the masks that FFmpeg supports are read, with their alpha`(_ masks: [Int], _ bits: Int) throws {
        let sample = SampleBMP(
            headerBytes: masks.count == 4 ? 56 : 40, bitDepth: bits, compression: 3, masks: masks)
        let header = try BMPHeader(file: sample.bytes)
        #expect(header.hasAlpha == (masks.count == 4) && header.isComplete)
        #expect(header.pixelArray.lowerBound == (masks.count == 4 ? 70 : 66))
    }

    @Test(arguments: [
        (8, 0, 256, 256 * 4), (8, 3, 3, 12), (4, 0, 16, 64), (1, 0, 2, 8), (8, 70_000, 256, 1_024), (4, 16, 16, 48),
    ])
    func `a palette has the stated number of colors, or one color for each pixel value`(
        _ bits: Int, _ said: Int, _ colors: Int, _ count: Int
    ) throws {
        let sample = SampleBMP(
            bitDepth: bits, colorsUsed: said, palette: [UInt8](repeating: 9, count: count))
        let header = try BMPHeader(file: sample.bytes)
        #expect(header.palette == 54..<54 + count)
        #expect(header.decodedBytes == 12)
    }

    @Test func `a bitmap without a palette is gray if it has 8 bits, and malformed if it has 4 bits`() throws {
        #expect(try BMPHeader(file: SampleBMP(bitDepth: 8).bytes).palette == nil)
        #expect(throws: MediaHeaderError.malformed("BMP palette")) { try BMPHeader(file: SampleBMP(bitDepth: 4).bytes) }
    }

    @Test(arguments: [1, 4, 8, 16, 24, 32])
    func `a bitmap that lacks one byte of its rows is not complete`(_ bits: Int) throws {
        var sample = SampleBMP(
            width: 5, bitDepth: bits, palette: bits > 8 ? [] : [UInt8](repeating: 0, count: 4 << bits))
        #expect(try BMPHeader(file: sample.bytes).isComplete)
        sample.pixels = [UInt8](repeating: 0, count: sample.rowBytes * 3 - 1)
        #expect(try !BMPHeader(file: sample.bytes).isComplete)
    }

    @Test(
        arguments: [
            ([1, 2, 0, 1], true), ([1, 2, 0, 0, 4, 4, 0, 0, 9, 9, 0, 0], true), ([1, 2, 0, 0, 4, 4, 0, 0], false),
            ([0, 3, 1, 2, 3, 0, 0, 1], true), ([0, 3, 1, 2, 3, 0, 0], false), ([0, 2, 1, 1, 0, 1], true), ([0], false),
            ([0, 255, 1], false), ([0, 0, 0, 0, 0, 0, 0, 255, 1], false),
        ] as [([UInt8], Bool)])
    func `a run-length coded bitmap is complete if its codes contain the end of the bitmap or the end of each row`(
        _ codes: [UInt8], _ isComplete: Bool
    ) throws {
        let sample = SampleBMP(
            bitDepth: 8, compression: 1, palette: [UInt8](repeating: 0, count: 1_024), pixels: codes)
        #expect(try BMPHeader(file: sample.bytes).isComplete == isComplete)
    }

    @Test func `a profile within the file is found, and a profile beyond the end of the file is ignored`() throws {
        var sample = SampleBMP(headerBytes: 124)
        sample.pixels = [UInt8](repeating: 0, count: 36 + 20)
        sample.patches = [
            (56, [0x44, 0x45, 0x42, 0x4D]), (112, SampleBMP.little(160, 4)), (116, SampleBMP.little(20, 4)),
        ]
        #expect(try BMPHeader(file: sample.bytes).profile == 174..<194)
        sample.patches[2].bytes = [255, 255, 255, 255]
        #expect(try BMPHeader(file: sample.bytes).profile == nil)
    }

    static let refused: [(SampleBMP, String)] = [
        (SampleBMP(headerBytes: 52), "52 bytes"),
        (SampleBMP(headerBytes: 48), "48 bytes"), (SampleBMP(compression: 4), "BI_JPEG"),
        (SampleBMP(compression: 5), "BI_PNG"),
        (SampleBMP(compression: 11), "BI_CMYK"), (SampleBMP(compression: 99), "compression 99"),
        (SampleBMP(headerBytes: 64, bitDepth: 1, compression: 3), "of OS/2"), (SampleBMP(bitDepth: 2), "2 bits"),
        (SampleBMP(bitDepth: 32, compression: 3, masks: [0x3FF, 0xFFE00, 0x3FF0_0000]), "masks 3ff ffe00 3ff00000"),
        (SampleBMP(bitDepth: 32, compression: 3, masks: [0x5, 0xFF00, 0xFF_0000]), "masks 5 ff00 ff0000"),
        (SampleBMP(bitDepth: 16, compression: 3, masks: [0xFF_0000, 0xFF00, 0xFF]), "masks ff0000 ff00 ff"),
        (SampleBMP(bitDepth: 32, compression: 3, masks: [0, 0, 0]), "masks 0 0 0"),
    ]

    @Test(arguments: refused.indices)
    func `a bitmap that no decoder reads is refused with the name of its kind`(_ index: Int) {
        let (sample, name) = Self.refused[index]
        #expect {
            try BMPHeader(file: sample.bytes)
        } throws: { error in
            guard case .unsupported(let part) = error as? MediaHeaderError else { return false }
            return part.contains(name)
        }
    }

    static let broken: [SampleBMP] = [
        SampleBMP(width: 0), SampleBMP(width: -4), SampleBMP(height: 0), SampleBMP(height: -0x8000_0000, pixels: [1]),
        SampleBMP(planes: 0), SampleBMP(bitDepth: 0), SampleBMP(bitDepth: 48), SampleBMP(bitDepth: 24, compression: 1),
        SampleBMP(bitDepth: 8, compression: 2), SampleBMP(bitDepth: 24, compression: 3, masks: [1, 2, 3]),
        SampleBMP(height: -3, bitDepth: 8, compression: 1), SampleBMP(declaredBytes: 0), SampleBMP(declaredBytes: 40),
        SampleBMP(pixelOffset: 0), SampleBMP(pixelOffset: 53),
        SampleBMP(bitDepth: 32, compression: 3, masks: [0xFF0000, 0xFF00, 0xFF], pixelOffset: 54),
        SampleBMP(bitDepth: 8, colorsUsed: 0, palette: [UInt8](repeating: 0, count: 12)),
    ]

    @Test(arguments: broken.indices)
    func `a header that contradicts itself is malformed`(_ index: Int) {
        #expect {
            try BMPHeader(file: Self.broken[index].bytes)
        } throws: { error in
            guard case .malformed = error as? MediaHeaderError else { return false }
            return true
        }
    }

    @Test(arguments: [14, 54, 0xFFFF_FFFF])
    func `a size field with the size of the headers, or with more than the size of the file, is accepted`(
        _ declared: Int
    ) throws {
        #expect(try BMPHeader(file: SampleBMP(declaredBytes: declared).bytes).isComplete)
    }

    @Test func `the decoded size of a huge BMP does not overflow`() throws {
        for bits in [1, 32] {
            var sample = SampleBMP(width: 0x7FFF_FFFF, height: -0x7FFF_FFFF, bitDepth: bits, pixels: [1, 2, 3])
            if bits == 1 { sample.palette = [UInt8](repeating: 0, count: 8) }
            let header = try BMPHeader(file: sample.bytes)
            #expect(!header.isComplete && header.isTopDown)
            #expect(header.decodedBytes == (bits == 1 ? 0x7FFF_FFFF * 0x7FFF_FFFF : .max))
        }
    }

    @Test(arguments: ["photo-small.jpg", "icon.ico", "empty.jpg"])
    func `a file of another format is not read as BMP`(_ name: String) {
        #expect(throws: MediaHeaderError.wrongFormat) { try BMPHeader(file: SampleFile.fixture(name)) }
    }
}
