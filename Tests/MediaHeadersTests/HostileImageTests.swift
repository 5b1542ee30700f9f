import MediaHeaders
import MediaTranscoder
import TestSupport
import Testing

/// Tests with arbitrary bytes. The walks of BMP and icons and the drawing must return or throw. Reported ranges must
/// lie within the file.
@Suite struct HostileImageTests {
    static let fixtures = [
        "bmp-24.bmp", "bmp-topdown.bmp", "bmp-8-palette.bmp", "bmp-rle8.bmp", "bmp-32-alpha.bmp", "icon.ico",
        "icon-dib.ico",
    ]

    private func isComplete(_ bytes: [UInt8]) -> Bool {
        _ = MediaSignature.of(file: bytes)
        if let header = try? BMPHeader(file: bytes) {
            #expect(header.width > 0 && header.height > 0 && header.decodedBytes > 0)
            #expect(header.pixelArray.upperBound <= bytes.count && (header.palette?.upperBound ?? 0) <= bytes.count)
            #expect((header.profile?.upperBound ?? 0) <= bytes.count)
            return header.isComplete
        }
        guard let header = try? ICOHeader(file: bytes) else { return false }
        for entry in header.entries {
            #expect(entry.width > 0 && entry.height > 0 && entry.range.upperBound <= bytes.count)
            guard case .bitmap(let bitmap) = entry.content else { continue }
            let image = try? ICOImage(bitmap, file: bytes)
            #expect(image.map { $0.pixels.count == 4 * bitmap.width * bitmap.height } ?? true)
            #expect(!bitmap.isComplete || image != nil)
        }
        return header.isComplete
    }

    /// Only BMP files are tested, because a prefix of an icon may hold a smaller image that is whole.
    @Test(arguments: fixtures.filter { !$0.hasSuffix("ico") })
    func `the parser throws or reports an incomplete file for each prefix of a BMP`(_ name: String) throws {
        let bytes = SampleFile.fixture(name)
        #expect(bytes.count > 500)
        // Some writers end a directory with an offset that is not read.
        let needed = try #require((0...8).first { !isComplete(Array(bytes.dropLast($0 + 1))) })
        for length in 0..<bytes.count - needed { #expect(!isComplete(Array(bytes[..<length]))) }
    }

    @Test(arguments: fixtures.filter { $0.hasSuffix("ico") })
    func `the parser returns or throws for each prefix of an icon`(_ name: String) {
        let bytes = SampleFile.fixture(name)
        for length in Array(0..<400) + Array(stride(from: 400, to: bytes.count, by: 97)) {
            _ = isComplete(Array(bytes[..<length]))
        }
    }

    /// The test changes the first and the last 512 bytes. It changes fewer bytes of an icon, because each change draws
    /// the icon.
    @Test(arguments: fixtures)
    func `the parser returns or throws if any byte of the headers of a BMP or icon is changed`(_ name: String) {
        let bytes = SampleFile.fixture(name)
        let isIcon = name.hasSuffix("ico")
        let offsets = isIcon ? Array(0..<120) : Array(0..<512) + Array(max(512, bytes.count - 512)..<bytes.count)
        for offset in offsets where offset < bytes.count {
            let old = bytes[offset]
            for value in isIcon
                ? [0x00, 0x80, 0xFF, old &+ 1] : [0x00, 0x01, 0x7F, 0x80, 0xFF, old ^ 1, old &+ 1, old &- 1]
            {
                var mutated = bytes
                mutated[offset] = value
                _ = isComplete(mutated)
            }
        }
    }

    @Test(arguments: fixtures)
    func `the parser returns or throws if any four bytes of a BMP or icon have an extreme value`(_ name: String) {
        let bytes = SampleFile.fixture(name)
        let isIcon = name.hasSuffix("ico")
        let offsets = isIcon ? Array(0..<80) : Array(0..<200) + Array(bytes.count - 200..<bytes.count - 4)
        for offset in offsets {
            for number: [UInt8] in [
                [255, 255, 255, 255], [255, 255, 255, 127], [0, 0, 0, 128], [127, 255, 255, 255],
            ] {
                var mutated = bytes
                mutated.replaceSubrange(offset..<offset + 4, with: number)
                _ = isComplete(mutated)
            }
        }
    }

    @Test func `bitmaps of random depths and sizes are drawn or refused`() {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        func next(_ bound: Int) -> Int {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state % UInt64(bound))
        }
        for _ in 0..<3_000 {
            let side = 1 + next(12)
            let bits = [1, 2, 4, 8, 16, 24, 32][next(7)]
            let content = SampleICO.bitmap(
                side: side, bits: bits, headerBytes: [12, 40, 52, 56, 108, 124][next(6)],
                compression: [0, 0, 3, 6][next(4)],
                masks: (0..<next(5)).map { _ in next(1 << 32) },
                palette: [UInt8](repeating: 9, count: next(2) * 4 << min(8, bits)), colorsUsed: next(300),
                pixels: (0..<next(2 * side * side * 4)).map { _ in UInt8(next(256)) }, mask: [])
            _ = isComplete(SampleICO([content]).bytes)
        }
    }
}
