import Base
import MediaHeaders
import TestSupport
import Testing
import TranscodeProtocol

@testable import MediaTranscoder

/// The tests of the memory for decoding. An image that a worker of 256 MiB cannot hold is refused by its header, and
/// any other image is accepted. All limits were measured with images of these sizes.
struct DecodeMemoryTests {
    private static func judge(
        _ bytes: [UInt8], as format: MediaFormat
    ) -> Result<ImageFacts, TranscodeFailure> {
        Result { () throws(TranscodeFailure) in
            try ImageInspection.inspect(bytes.span, as: format, limits: DecodeLimits())
        }
    }

    private static func isRefused(_ bytes: [UInt8], as format: MediaFormat) -> Bool {
        if case .failure(let failure) = judge(bytes, as: format) { failure.code == .tooManyPixels } else { false }
    }

    @Test(arguments: [
        ("photo-small.jpg", 10_000, 10_000, false), ("jpeg-444.jpg", 10_000, 10_000, false),
        ("cmyk.jpg", 10_000, 10_000, false), ("jpeg-411.jpg", 10_000, 10_000, false),
        // A decoder holds all coefficients of a progressive JPEG: three bytes a pixel with halved chroma.
        ("progressive-small.jpg", 8_000, 8_000, false), ("progressive-small.jpg", 8_500, 8_500, true),
        ("arithmetic-progressive.jpg", 8_500, 8_500, true), ("photo-small.jpg", 10_001, 10_000, true),
    ])
    func `a JPEG that is too large even if it is halved is refused`(
        _ name: String, _ width: Int, _ height: Int, _ isRefused: Bool
    ) {
        let bytes = SampleJPEG.saying(width, height, Workbench.fixture(name))
        #expect(Self.isRefused(bytes, as: .jpeg) == isRefused)
    }

    @Test(arguments: [(65_535, false), (65_536, true)])
    func `an image with a side above 65,535 pixels is refused`(_ height: Int, _ isRefused: Bool) {
        var bytes = Workbench.fixture("mask-alpha.png")
        bytes.replaceSubrange(
            16..<24, with: [0, 0, 0, 16, 0, UInt8(height >> 16), UInt8(height >> 8 & 255), UInt8(height & 255)])
        #expect(Self.isRefused(bytes, as: .png) == isRefused)
    }

    @Test func `a decoder holds all channels of a JPEG with separate scans until the last scan`() throws {
        let full = [(across: 1, down: 1), (across: 1, down: 1), (across: 1, down: 1)]
        let source = try SampleJPEG.scans(
            width: 64, height: 48, sampling: full, levels: [(76, 76), (85, 85), (255, 255)])
        #expect(Self.isRefused(SampleJPEG.saying(7_500, 5_600, source), as: .jpeg))
        #expect(!Self.isRefused(SampleJPEG.saying(5_600, 5_600, source), as: .jpeg))
        let outcome = Workbench.run(source, as: .jpeg, [Workbench.order(.thumbnail, 32)])
        let pixel = try Workbench.pixel(try #require(outcome.outputs.first), as: .jpeg, x: 8, y: 8)
        #expect(pixel[0] > 243 && pixel[1] < 12 && pixel[2] < 12, "\(pixel)")
    }

    @Test(arguments: [("cmyk.jpg", 1), ("photo-small.jpg", 0), ("jpeg-444.jpg", 1), ("jpeg-411.jpg", 1)])
    func `a large JPEG is halved until a worker can hold it`(_ name: String, _ halvings: Int) throws {
        let facts = try Self.judge(SampleJPEG.saying(8_500, 8_500, Workbench.fixture(name)), as: .jpeg).get()
        #expect(facts.memory.minHalvings == halvings)
    }

    /// Replaces the width and the height at an offset after each occurrence of a mark.
    private static func saying(
        _ sides: [[UInt8]], behind mark: String, at offset: Int, _ name: String
    ) -> [UInt8] {
        var bytes = Workbench.fixture(name)
        var start = 0
        while let place = bytes[start...].firstRange(of: Array(mark.utf8)) {
            bytes.replaceSubrange(
                place.upperBound + offset..<place.upperBound + offset + sides.joined().count, with: sides.joined())
            start = place.upperBound
        }
        return bytes
    }

    private static func big(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    @Test(arguments: [
        // HEVC's decoder has tables as large as the image, and AV1's decoder has tables of a third of this size.
        ("heic-plain.heic", 8_000, 8_000, false), ("heic-plain.heic", 9_000, 8_000, true),
        ("avif-plain.avif", 12_000, 8_000, false), ("avif-plain.avif", 12_000, 8_800, true),
        // An image with alpha is converted to four planes.
        ("heic-alpha.heic", 7_000, 4_000, false), ("heic-alpha.heic", 8_000, 4_200, true),
        ("avif-alpha.avif", 8_000, 4_000, false), ("avif-alpha.avif", 9_000, 4_600, true),
        ("heic-10bit.heic", 6_000, 6_000, false), ("heic-10bit.heic", 7_000, 7_000, true),
    ])
    func `the memory for a HEIF includes the tables of its decoder`(
        _ name: String, _ width: Int, _ height: Int, _ isRefused: Bool
    ) {
        let bytes = Self.saying([Self.big(width), Self.big(height)], behind: "ispe", at: 4, name)
        #expect(Self.isRefused(bytes, as: .heic) == isRefused)
    }

    @Test func `a lossy WebP is converted in one piece only if it has alpha`() throws {
        func webp(_ width: Int, _ height: Int, flags: UInt8) -> [UInt8] {
            func little(_ value: Int, _ count: Int) -> [UInt8] {
                (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
            }
            let canvas =
                Array("VP8X".utf8) + [10, 0, 0, 0, flags, 0, 0, 0] + little(width - 1, 3) + little(height - 1, 3)
            // The header is that of a key frame (RFC 6386, 9.1).
            let image =
                Array("VP8 ".utf8) + [10, 0, 0, 0, 0x10, 0, 0, 0x9D, 0x01, 0x2A] + little(width, 2) + little(height, 2)
            let body = Array("WEBP".utf8) + canvas + image
            return Array("RIFF".utf8) + little(body.count, 4) + body
        }
        #expect(Self.isRefused(webp(8_000, 4_990, flags: 0x10), as: .webp))
        #expect(!Self.isRefused(webp(6_000, 5_000, flags: 0x10), as: .webp))
        #expect(!Self.isRefused(webp(12_000, 8_000, flags: 0), as: .webp))
    }

    @Test func `the memory for a GIF animation includes its encoder and the restored canvas`() throws {
        func animation(_ width: Int, _ height: Int, disposal: UInt8) -> [UInt8] {
            var bytes = Workbench.fixture("animation.gif")
            bytes.replaceSubrange(
                6..<10, with: [width, height].flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] })
            guard let control = bytes.firstRange(of: [0x21, 0xF9, 4]) else { return [] }
            bytes[control.upperBound] = disposal << 2
            return bytes
        }
        #expect(!Self.isRefused(animation(7_000, 5_000, disposal: 1), as: .gif))
        #expect(Self.isRefused(animation(7_000, 5_000, disposal: 3), as: .gif))
        #expect(Self.isRefused(animation(7_900, 5_000, disposal: 1), as: .gif))
    }

    @Test func `an image whose alpha is multiplied into its colors needs twice the memory`() {
        let pixels = 40_000_000
        #expect(DecodeMemory(decodedBytes: 4 * pixels, pixels: pixels).minHalvings == 0)
        #expect(DecodeMemory(decodedBytes: 4 * pixels, pixels: pixels, alpha: .isMultipliedIn).bytes() == 8 * pixels)
        #expect(DecodeMemory(decodedBytes: .max, pixels: .max, alpha: .meansNothing).bytes() == .max)
    }

    @Test func `a crop needs full chroma only if it lies between two samples of halved chroma`() throws {
        var image = try HEIFHeader(Workbench.fixture("heic-cropped.heic").span).image
        #expect(image.isCutBetweenSamples)
        image.sampling = .yuv444
        #expect(!image.isCutBetweenSamples)
        image.sampling = .yuv422
        #expect(image.isCutBetweenSamples)
    }
}
