import MediaHeaders
import TestSupport
import Testing

/// Tests with arbitrary bytes. Each walk must return or throw.
@Suite struct HostileHeaderTests {
    static let samples: [[UInt8]] = [
        SampleFile.jpeg(extra: SampleFile.jpegSegment(0xE1, Array("Exif\0\0".utf8) + SampleFile.exif(orientation: 6))),
        SampleFile.png(extra: SampleFile.pngChunk("eXIf", SampleFile.exif(orientation: 3, littleEndian: false))),
        SampleFile.gif(),
        SampleFile.riff([
            ("VP8X", [0x1A, 0, 0, 0, 9, 0, 0, 4, 0, 0]), ("ANIM", [0, 0, 0, 0, 0, 0]),
            ("ANMF", [UInt8](repeating: 1, count: 24)), ("EXIF", SampleFile.exif(orientation: 8)),
        ]),
        SampleFile.fixture("orientation-6.jpg"),
    ]

    private func walkAll(_ bytes: [UInt8]) {
        _ = try? JPEGHeader(file: bytes)
        _ = try? PNGHeader(file: bytes)
        _ = try? GIFHeader(file: bytes)
        _ = try? WebPHeader(file: bytes)
        _ = MediaSignature.of(file: bytes)
        _ = ImageOrientation.inExif(file: bytes)
    }

    @Test(arguments: samples.indices)
    func `a prefix of a file is complete only if it is a GIF that ends between two blocks`(_ index: Int) {
        let sample = Self.samples[index]
        // A GIF may end after a whole image. These are the offsets of the trailer, the second image and its control
        // block.
        let wholes = sample == SampleFile.gif() ? [1, 16, 24].map { sample.count - $0 } : []
        for length in sample.indices {
            let prefix = Array(sample[..<length])
            walkAll(prefix)
            #expect((try? JPEGHeader(file: prefix))?.isComplete != true)
            #expect((try? PNGHeader(file: prefix))?.isComplete != true)
            #expect(((try? GIFHeader(file: prefix))?.isComplete == true) == wholes.contains(length), "\(length)")
        }
    }

    @Test(arguments: samples.indices)
    func `each header parser returns or throws if any byte has an extreme value`(_ index: Int) {
        let sample = Self.samples[index]
        for offset in sample.indices.prefix(2_000) {
            for value: UInt8 in [0x00, 0x01, 0x7F, 0x80, 0xFF] {
                var mutated = sample
                mutated[offset] = value
                walkAll(mutated)
            }
        }
    }

    @Test(arguments: samples.indices)
    func `each header parser returns or throws for a file with random damage`(_ index: Int) {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15 &+ UInt64(index)
        func next(_ bound: Int) -> Int {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state % UInt64(bound))
        }
        for _ in 0..<2_000 {
            var mutated = Self.samples[index]
            for _ in 0..<(1 + next(8)) { mutated[next(mutated.count)] = UInt8(next(256)) }
            if next(4) == 0 { mutated.removeLast(next(mutated.count)) }
            walkAll(mutated)
        }
    }

    @Test func `a JPEG with too many segments is refused`() {
        let segments = [[UInt8]](repeating: [0xFF, 0xFE, 0, 2], count: 20_000)
        let bytes = [0xFF, 0xD8] + segments.joined()
        #expect(throws: MediaHeaderError.excessive("JPEG segments")) { try JPEGHeader(file: bytes) }
    }

    @Test func `the decoded size of a huge PNG does not overflow`() throws {
        var bytes = SampleFile.png()
        bytes.replaceSubrange(16..<24, with: [0x7F, 0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF])
        #expect(try PNGHeader(file: bytes).decodedBytes == .max)
    }
}
