import MediaHeaders
import MediaTranscoder
import TestSupport
import Testing

/// Tests with damaged progressive JPEG files. The result must be an image of the right size or `nil`, and never a trap.
struct DamagedScanTests {
    @Test(arguments: ["progressive-small.jpg", "progressive-restarts.jpg"])
    func `a JPEG with changed bytes is decoded to an image of the right size, or is refused`(name: String) throws {
        let whole = try Fixtures.bytes("media/\(name)")
        var random = SeededGenerator(seed: 11)
        var images = 0
        for _ in 0..<2_000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 2..<bytes.count, using: &random)
                switch Int.random(in: 0...2, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
                }
            }
            guard let header = try? JPEGHeader(bytes.span), header.pixels < 1_000_000 else { continue }
            for halvings in 2...3 {
                guard let image = ReducedSizeDecoder(header, of: bytes.span, halvings: halvings) else { continue }
                images += 1
                for plane in image.planes { #expect(plane.samples.count == plane.width * plane.height) }
                #expect(image.planes[0].width == (header.width + 1 << halvings - 1) >> halvings)
            }
        }
        #expect(images > 200, "most damaged scans can be decoded")
    }

    @Test func `an image that needs more than the lowest coefficients is not decoded`() throws {
        let bytes = try Fixtures.bytes("media/progressive-small.jpg")
        let header = try JPEGHeader(bytes.span)
        for halvings in [-1, 0, 1, 4] { #expect(!isRead(bytes, header, halvings)) }
        #expect(isRead(bytes, header, 3))
        #expect(!isRead(Array(bytes.prefix(300)), header, 3))
        var red = header
        red.adobeTransform = 0
        #expect(!isRead(bytes, red, 3))
        for name in ["arithmetic-progressive.jpg", "photo-small.jpg", "cmyk.jpg"] {
            let other = try Fixtures.bytes("media/\(name)")
            let header = try JPEGHeader(other.span)
            #expect(!isRead(other, header, 3))
        }
    }

    @Test func `an image with thousands of Huffman tables is not decoded`() throws {
        let bytes = try Fixtures.bytes("media/progressive-small.jpg")
        for (count, isRead) in [(100, true), (2_000, false)] {
            // Each of these tables has no codes.
            let tables = [UInt8](repeating: 0, count: 17 * count)
            let length = tables.count + 2
            let more =
                bytes.prefix(2) + [0xFF, 0xC4, UInt8(length >> 8), UInt8(length & 255)] + tables + bytes.dropFirst(2)
            let header = try JPEGHeader(Array(more).span)
            #expect(self.isRead(Array(more), header, 3) == isRead, "\(count)")
        }
    }

    private func isRead(_ bytes: [UInt8], _ header: JPEGHeader, _ halvings: Int) -> Bool {
        ReducedSizeDecoder(header, of: bytes.span, halvings: halvings) != nil
    }
}
