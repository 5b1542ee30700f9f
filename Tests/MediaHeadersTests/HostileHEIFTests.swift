import Base
import MediaHeaders
import TestSupport
import Testing

/// Tests with arbitrary bytes. The walk must return or throw, and must never report that a truncated file is complete.
@Suite struct HostileHEIFTests {
    static let fixtures = [
        "heic-plain.heic", "heic-alpha.heic", "heic-rotated.heic", "heic-cropped-turned.heic", "heic-grid.heic",
        "avif-alpha.avif", "avif-grid.avif", "avif-rotated.avif",
    ]

    /// Returns the offsets of the boxes, which are all bytes except the media data.
    private func boxOffsets(_ bytes: [UInt8]) -> [Int] {
        guard let media = bytes.indices.first(where: { Array(bytes[$0...].prefix(4)) == Array("mdat".utf8) }) else {
            return []
        }
        let size = bytes[media - 4..<media].reduce(0) { $0 << 8 | Int($1) }
        return bytes.indices.filter { !(media + 4..<media - 4 + size).contains($0) }
    }

    /// Checks the guarantees of a header that hold for any input.
    private func judge(_ bytes: [UInt8]) {
        guard let header = try? HEIFHeader(file: bytes) else { return }
        for image in [header.image] + (header.alpha.map { [$0] } ?? []) + header.thumbnails {
            let crop = image.framing.crop
            #expect(crop.x >= 0 && crop.y >= 0 && crop.width > 0 && crop.height > 0)
            #expect(crop.x + crop.width <= image.width && crop.y + crop.height <= image.height)
            #expect(image.tiles.count == image.columns * image.rows)
            #expect(image.tileWidth * image.columns >= image.width && image.tileHeight * image.rows >= image.height)
            #expect((8...16).contains(image.bitDepth) && image.decodedBytes > 0)
            for tile in image.tiles {
                #expect(tile.byteCount > 0 && (tile.configuration?.upperBound ?? 0) <= bytes.count)
                #expect(!header.isComplete || tile.extents.allSatisfy { $0.upperBound <= bytes.count })
            }
            #expect((image.profile?.upperBound ?? 0) <= bytes.count)
        }
    }

    @Test(arguments: fixtures)
    func `the parser throws or reports an incomplete file for each prefix of a HEIF file`(_ name: String) {
        let bytes = SampleFile.fixture(name)
        #expect(bytes.count > 500)
        for length in bytes.indices {
            let prefix = Array(bytes[..<length])
            judge(prefix)
            #expect((try? HEIFHeader(file: prefix))?.isComplete != true)
        }
    }

    @Test(arguments: fixtures)
    func `the parser returns or throws if any byte of the HEIF boxes is changed`(_ name: String) {
        let bytes = SampleFile.fixture(name)
        for offset in boxOffsets(bytes) {
            let old = bytes[offset]
            for value in [0x00, 0x01, 0x7F, 0x80, 0xFF, old ^ 1, old &+ 1, old &- 1] {
                var mutated = bytes
                mutated[offset] = value
                judge(mutated)
            }
        }
    }

    @Test(arguments: fixtures)
    func `the parser returns or throws for a HEIF file with random damage`(_ name: String) {
        let bytes = SampleFile.fixture(name)
        let offsets = boxOffsets(bytes)
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15 &+ UInt64(bytes.count)
        func next(_ bound: Int) -> Int {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state % UInt64(bound))
        }
        for _ in 0..<2_000 {
            var mutated = bytes
            for _ in 0..<(1 + next(6)) { mutated[offsets[next(offsets.count)]] = UInt8(next(256)) }
            if next(4) == 0 { mutated.removeLast(next(mutated.count)) }
            judge(mutated)
        }
    }

    @Test(arguments: [
        (0, Int.max), (Int.max, 1), (Int.max - 100, 100), (1 << 40, 1), (0, 1 << 40), (-1, 1), (0, -1), (Int.min, 4),
    ])
    func `an extent with a huge offset or length is malformed or incomplete`(_ offset: Int, _ length: Int) {
        var sample = SampleHEIF.still()
        sample.offsetBytes = 8
        sample.lengthBytes = 8
        sample.items[0].extents = [(offset, length)]
        judge(sample.bytes)
        #expect((try? HEIFHeader(file: sample.bytes))?.isComplete != true)
        sample.items[0].method = 1
        sample.inline = [1, 2, 3]
        #expect(throws: MediaHeaderError.self) { try HEIFHeader(file: sample.bytes) }
    }

    @Test func `extents may overlap each other and the boxes`() throws {
        var sample = SampleHEIF.still()
        sample.items[0].extents = [(0, 64), (10, 20), (40, 60)]
        let header = try HEIFHeader(file: sample.bytes)
        #expect(header.image.tiles[0].byteCount == 144)
        #expect(header.isComplete)
    }

    @Test func `a count that is too large for its box is malformed`() {
        let bytes = SampleHEIF.still().bytes
        for type in ["iloc", "ipma"] {
            let at = bytes.indices.first { Array(bytes[$0...].prefix(4)) == Array(type.utf8) } ?? 0
            // The count follows type, version and flags. In 'iloc', two bytes of field widths precede the count.
            let count = at + 8 + (type == "iloc" ? 2 : 0)
            var hostile = bytes
            hostile.replaceSubrange(
                count..<count + (type == "iloc" ? 2 : 4), with: type == "iloc" ? [15, 255] : [255, 255, 255, 255])
            #expect(throws: MediaHeaderError.self) { try HEIFHeader(file: hostile) }
        }
    }

    @Test func `deeply nested boxes are not followed`() throws {
        var sample = SampleHEIF.still()
        var nested = SampleHEIF.box("free", [])
        for _ in 0..<10_000 { nested = SampleHEIF.box("meta", nested) }
        sample.trailer = nested
        #expect(try HEIFHeader(file: sample.bytes).width == 64)
    }
}
