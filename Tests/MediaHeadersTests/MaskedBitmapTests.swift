import MediaHeaders
import MediaTranscoder
import Testing

/// Tests of BMP files whose masks or header FFmpeg's decoder does not read.
@Suite struct MaskedBitmapTests {
    /// Returns a bitmap with red and green above blue and white. The masks are those of red, green, blue and alpha.
    private static func sample(
        _ masks: [Int], bits: Int, headerBytes: Int = 124, compression: Int = 3, height: Int = 2, alphas: [Int]? = nil
    ) -> SampleBMP {
        let colors = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255]]
        func number(_ index: Int) -> Int {
            let values = colors[index] + [alphas?[index] ?? 0]
            return zip(masks, values).reduce(0) { number, part in
                guard part.0 != 0 else { return number }
                let shift = part.0.trailingZeroBitCount
                return number | ((part.1 * (part.0 >> shift) + 127) / 255) << shift
            }
        }
        let rows = height < 0 ? [[0, 1], [2, 3]] : [[2, 3], [0, 1]]
        let pixels = rows.flatMap { row in
            let bytes = row.flatMap { SampleBMP.little(number($0), bits / 8) }
            return bytes + [UInt8](repeating: 0xEE, count: (4 - bytes.count % 4) % 4)
        }
        return SampleBMP(
            headerBytes: headerBytes, width: 2, height: height, bitDepth: bits, compression: compression, masks: masks,
            pixels: pixels)
    }

    private static func pixels(_ bytes: [UInt8]) throws -> (pixels: [[UInt8]], hasAlpha: Bool) {
        let header = try BMPHeader(bytes.span)
        let drawn = MaskedBitmap(header, of: bytes.span)
        let bitmap = try #require(drawn)
        let count = bitmap.hasAlpha ? 4 : 3
        var target = [UInt8](repeating: 0xAA, count: 2 * 2 * count)
        var span = target.mutableSpan
        for row in 0..<2 { bitmap.draw(row: row, of: bytes.span, into: &span, at: row * 2 * count) }
        return (stride(from: 0, to: target.count, by: count).map { Array(target[$0..<$0 + count]) }, bitmap.hasAlpha)
    }

    @Test(
        arguments: [
            ([0xFF00_0000, 0xFF_0000, 0xFF00], 32, 52), ([0xFF_0000, 0xFF00, 0xFF], 32, 52),
            ([0x3FF0_0000, 0xF_FC00, 0x3FF], 32, 40), ([0x3FF, 0xF_FC00, 0x3FF0_0000, 0], 32, 56),
            ([0xFF00, 0xFF_0000, 0xFF], 32, 108), ([0xF800, 0x7C0, 0x3E], 16, 40), ([0xC000, 0x3E00, 0x1FF], 16, 52),
        ] as [([Int], Int, Int)], [2, -2])
    func `each color is read from the bits of its mask`(_ kind: ([Int], Int, Int), _ height: Int) throws {
        let sample = Self.sample(kind.0, bits: kind.1, headerBytes: kind.2, height: height)
        let drawn = try Self.pixels(sample.bytes)
        #expect(!drawn.hasAlpha)
        #expect(drawn.pixels == [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255]])
    }

    @Test func `a header of 52 bytes without masks gets the default masks of Windows`() throws {
        let wide = Self.sample([0xFF_0000, 0xFF00, 0xFF], bits: 32, headerBytes: 52, compression: 0)
        let narrow = Self.sample([0x7C00, 0x3E0, 0x1F], bits: 16, headerBytes: 52, compression: 0)
        for sample in [wide, narrow] {
            let drawn = try Self.pixels(sample.bytes)
            #expect(drawn.pixels == [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255]])
        }
    }

    @Test(arguments: [(3, 124, 0x3FF), (6, 40, 0xFF)])
    func `the alpha is straight, and an alpha of zeros is ignored`(
        _ compression: Int, _ headerBytes: Int, _ red: Int
    ) throws {
        let masks = [red, 0xF_FC00, 0xFF0_0000, 0xF000_0000]
        func sample(_ alphas: [Int]) -> SampleBMP {
            Self.sample(masks, bits: 32, headerBytes: headerBytes, compression: compression, alphas: alphas)
        }
        let drawn = try Self.pixels(sample([255, 0, 170, 85]).bytes)
        #expect(drawn.hasAlpha)
        #expect(drawn.pixels == [[255, 0, 0, 255], [0, 255, 0, 0], [0, 0, 255, 170], [255, 255, 255, 85]])
        #expect(try !Self.pixels(sample([0, 0, 0, 0]).bytes).hasAlpha)
    }

    @Test func `a color with an empty mask is zero`() throws {
        let drawn = try Self.pixels(Self.sample([0xFF00, 0xFF, 0], bits: 16, headerBytes: 40).bytes)
        #expect(drawn.pixels == [[255, 0, 0], [0, 255, 0], [0, 0, 0], [255, 255, 0]])
    }

    @Test func `a truncated bitmap is not drawn`() throws {
        let bytes = Array(Self.sample([0x3FF0_0000, 0xF_FC00, 0x3FF], bits: 32, headerBytes: 40).bytes.dropLast())
        let header = try BMPHeader(bytes.span)
        let bitmap = MaskedBitmap(header, of: bytes.span)
        #expect(!header.isComplete && bitmap == nil)
    }
}
