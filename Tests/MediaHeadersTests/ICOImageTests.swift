import MediaHeaders
import MediaTranscoder
import TestSupport
import Testing

@Suite struct ICOImageTests {
    private func image(_ content: [UInt8]) throws -> ICOImage {
        try image(in: SampleICO([content]).bytes)
    }

    private func image(in bytes: [UInt8], entry: Int = 0) throws -> ICOImage {
        guard case .bitmap(let bitmap) = try ICOHeader(file: bytes).entries[entry].content else {
            throw MediaHeaderError.wrongFormat
        }
        return try ICOImage(bitmap, file: bytes)
    }

    /// Returns the pixels row by row from the top, each as a number of red, green, blue and alpha.
    private func numbers(_ image: ICOImage) -> [Int] {
        stride(from: 0, to: image.pixels.count, by: 4).map { start in
            image.pixels[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
        }
    }

    @Test(arguments: [1, 2])
    func `a real icon is drawn with the right colors and alphas in its corners`(_ entry: Int) throws {
        let image = try image(in: SampleFile.fixture("icon-dib.ico"), entry: entry)
        let side = image.width
        #expect(side == (entry == 1 ? 32 : 48) && image.height == side)
        let all = numbers(image)
        let corners = [(3, 3), (side - 4, 3), (3, side - 4), (side - 4, side - 4)].map { all[$1 * side + $0] }
        #expect(corners == [0xD020_20FF, 0x20A8_40C0, 0x2840_D080, 0xE0D0_2840])
    }

    @Test func `the palette of a real icon is read, and its mask hides the black F`() throws {
        let image = try image(in: SampleFile.fixture("icon-dib.ico"))
        let all = numbers(image)
        #expect(
            [all[0], all[31], all[31 * 32], all[31 * 32 + 31]] == [0xD020_20FF, 0x20A8_40FF, 0x2840_D0FF, 0xE0D0_28FF])
        #expect(all[8 * 32 + 12] == 0x0000_0000)
        #expect(all.filter { $0 & 255 == 0 }.count == all.filter { $0 >> 8 == 0 }.count)
    }

    @Test func `pixels of one, four and eight bits are palette indices, with the highest bits first`() throws {
        let colors: [UInt8] = [1, 2, 3, 0, 4, 5, 6, 0]
        let wanted = [0x0605_04FF, 0x0302_01FF, 0x0302_01FF, 0x0605_0400]
        let mask: [UInt8] = [0x40, 0, 0, 0, 0, 0, 0, 0]
        // The bottom row "0 1" is stored first, and the top row "1 0" follows.
        let rows: [Int: [UInt8]] = [
            1: [0x40, 0, 0, 0, 0x80, 0, 0, 0], 4: [0x01, 0, 0, 0, 0x10, 0, 0, 0], 8: [0, 1, 0, 0, 1, 0, 0, 0],
        ]
        for (bits, pixels) in rows {
            let content = SampleICO.bitmap(
                side: 2, bits: bits, palette: colors, colorsUsed: 2, pixels: pixels, mask: mask)
            #expect(try numbers(image(content)) == wanted, "\(bits) bits")
        }
    }

    @Test func `a palette index without a color is black`() throws {
        let content = SampleICO.bitmap(
            side: 1, bits: 8, palette: [9, 9, 9, 0], colorsUsed: 1, pixels: [200, 0, 0, 0], mask: [0, 0, 0, 0])
        #expect(try numbers(image(content)) == [0x0000_00FF])
    }

    @Test func `palette colors after the shortest header have three bytes`() throws {
        let content = SampleICO.bitmap(
            side: 1, bits: 1, headerBytes: 12, palette: [1, 2, 3, 4, 5, 6], pixels: [0x80, 0, 0, 0], mask: [0, 0, 0, 0])
        #expect(try numbers(image(content)) == [0x0605_04FF])
    }

    @Test func `pixels of 24 bits have the order blue, green, red, and are opaque if the mask is 0`() throws {
        let content = SampleICO.bitmap(
            side: 2, bits: 24, pixels: [1, 2, 3, 4, 5, 6, 0, 0, 7, 8, 9, 10, 11, 12, 0, 0],
            mask: [0x80, 0, 0, 0, 0x40, 0, 0, 0])
        #expect(try numbers(image(content)) == [0x0908_07FF, 0x0C0B_0A00, 0x0302_0100, 0x0605_04FF])
    }

    @Test(arguments: [0, 128] as [UInt8])
    func `pixels of 32 bits use the mask if the whole alpha channel is zero`(_ alpha: UInt8) throws {
        let content = SampleICO.bitmap(
            side: 1, bits: 32, pixels: [1, 2, 3, alpha], mask: [0x80, 0, 0, 0])
        #expect(try numbers(image(content)) == [0x0302_0100 | Int(alpha)])
        let visible = SampleICO.bitmap(side: 1, bits: 32, pixels: [1, 2, 3, alpha], mask: [])
        #expect(try numbers(image(visible)) == [0x0302_0100 | (alpha == 0 ? 255 : Int(alpha))])
    }

    @Test func `pixels of 16 bits have five bits a color, or the bits of the masks`() throws {
        let plain = SampleICO.bitmap(side: 1, bits: 16, pixels: [0x1F, 0x7C, 0, 0], mask: [0, 0, 0, 0])
        #expect(try numbers(image(plain)) == [0xFF00_FFFF])
        let masked = SampleICO.bitmap(
            side: 1, bits: 16, compression: 3, masks: [0xF800, 0x07E0, 0x001F], pixels: [0xE0, 0x87, 0, 0],
            mask: [0, 0, 0, 0])
        #expect(try numbers(image(masked)) == [0x84FF_00FF])
    }

    @Test func `masks of 32 bits may overlap, be empty, or have all bits set`() throws {
        let swapped = SampleICO.bitmap(
            side: 1, bits: 32, headerBytes: 56, compression: 3, masks: [0xFF, 0xFF00, 0xFF0000, 0xFF00_0000],
            pixels: [1, 2, 3, 4], mask: [0, 0, 0, 0])
        #expect(try numbers(image(swapped)) == [0x0102_0304])
        let odd = SampleICO.bitmap(
            side: 1, bits: 32, compression: 3, masks: [0xFFFF_FFFF, 0, 0x8000_0001], pixels: [255, 255, 255, 255],
            mask: [0, 0, 0, 0])
        #expect(try numbers(image(odd)) == [0xFF00_FFFF])
    }

    @Test func `a bitmap with missing pixels is truncated`() throws {
        var content = SampleICO.bitmap(side: 2, bits: 32, pixels: [UInt8](repeating: 1, count: 16), mask: [])
        #expect(try image(content).pixels.count == 16)
        content.removeLast()
        #expect(throws: MediaHeaderError.truncated("the icon's pixels")) { try image(content) }
    }

    @Test func `a bitmap of the largest size is drawn`() throws {
        let side = ICOBitmap.maxSide
        let content = SampleICO.bitmap(
            side: side, bits: 32, pixels: [UInt8](repeating: 200, count: 4 * side * side), mask: [])
        let image = try image(content)
        #expect(image.pixels.count == 4 << 20 && image.pixels.allSatisfy { $0 == 200 })
    }
}

extension ICOImage {
    init(_ bitmap: ICOBitmap, file bytes: [UInt8]) throws(MediaHeaderError) {
        self = try ICOImage(bitmap, of: bytes.span)
    }
}
