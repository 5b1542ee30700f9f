import MediaHeaders
import TestSupport
import Testing

@Suite struct ImageHeaderTests {
    @Test func `the header of a JPEG has size, coding and orientation`() throws {
        let exif = SampleFile.jpegSegment(0xE1, Array("Exif\0\0".utf8) + SampleFile.exif(orientation: 6))
        let header = try JPEGHeader(file: SampleFile.jpeg(extra: exif))
        #expect(header.width == 48)
        #expect(header.height == 32)
        #expect(header.process == .baseline)
        #expect(header.bitDepth == 8)
        #expect(header.components.count == 3)
        #expect(header.hasPlainSampling)
        #expect(header.scanCount == 1)
        #expect(header.isComplete)
        #expect(header.orientation == .turnedRight)
        #expect(header.hasMetadata)
        #expect(header.decodedBytes == 48 * 32 * 3 / 2)
    }

    @Test func `the thumbnails in a JPEG's JFIF segments are removed`() throws {
        // The first segment has a thumbnail of one pixel in three colors after JFIF's fields. The second is an
        // extension segment (JFIF 1.02, pages 5 to 8).
        let jfif = Array("JFIF\0".utf8) + [1, 2, 0, 0, 1, 0, 1]
        let within = SampleFile.jpegSegment(0xE0, jfif + [1, 1, 255, 0, 0])
        let extension13 = SampleFile.jpegSegment(0xE0, Array("JFXX\0".utf8) + [0x13, 1, 1, 255, 0, 0])
        let plain = SampleFile.jpeg()
        for extra in [within, extension13, within + extension13] {
            let file = SampleFile.jpeg(extra: extra)
            let header = try JPEGHeader(file: file)
            #expect(header.hasMetadata)
            #expect(header.kept.ranges.flatMap { Array(file[$0]) } == plain)
        }
        let bare = SampleFile.jpeg(extra: SampleFile.jpegSegment(0xE0, jfif + [0, 0]))
        #expect(try !JPEGHeader(file: bare).hasMetadata)
    }

    @Test func `a still WebP whose image differs from its canvas in size is refused`() throws {
        func file(_ side: UInt8) -> [UInt8] {
            SampleFile.riff([
                ("VP8X", [0, 0, 0, 0, 9, 0, 0, 9, 0, 0]), ("VP8 ", [0x10, 0, 0, 0x9D, 0x01, 0x2A, side, 0, side, 0]),
            ])
        }
        #expect(try WebPHeader(file: file(10)).width == 10)
        #expect(throws: MediaHeaderError.self) { try WebPHeader(file: file(200)) }
    }

    @Test func `a WebP with a second canvas chunk is refused`() throws {
        let canvas = ("VP8X", [0, 0, 0, 0, 9, 0, 0, 9, 0, 0] as [UInt8])
        let image = ("VP8 ", [0x10, 0, 0, 0x9D, 0x01, 0x2A, 10, 0, 10, 0] as [UInt8])
        #expect(try WebPHeader(file: SampleFile.riff([canvas, image])).isComplete)
        let refusal = MediaHeaderError.malformed("WebP: a second canvas chunk")
        #expect(throws: refusal) { try WebPHeader(file: SampleFile.riff([canvas, canvas, image])) }
        #expect(throws: refusal) { try WebPHeader(file: SampleFile.riff([canvas, image, canvas])) }
    }

    @Test func `a JPEG without its end marker is not complete`() throws {
        #expect(try !JPEGHeader(file: SampleFile.jpeg(closed: false)).isComplete)
        #expect(try !JPEGHeader(file: SampleFile.fixture("truncated.jpg")).isComplete)
    }

    @Test func `a progressive JPEG is recognized, and its scans are counted`() throws {
        let header = try JPEGHeader(file: SampleFile.fixture("progressive.jpg"))
        #expect(header.process == .progressive)
        #expect(header.scanCount > 1)
        #expect(header.isComplete)
    }

    @Test(arguments: ImageOrientation.allCases, [true, false])
    func `each of the eight orientations is read in both byte orders`(_ orientation: ImageOrientation, _ little: Bool) {
        let block = SampleFile.exif(orientation: orientation.rawValue, littleEndian: little)
        #expect(ImageOrientation.inExif(file: block) == orientation)
    }

    @Test(arguments: [0, 9, 255] as [UInt8])
    func `an orientation outside of 1 to 8 is ignored`(_ value: UInt8) {
        #expect(ImageOrientation.inExif(file: SampleFile.exif(orientation: value)) == nil)
    }

    @Test func `the header of a PNG has size, alpha, frames and orientation`() throws {
        let extra =
            SampleFile.pngChunk("acTL", [0, 0, 0, 3, 0, 0, 0, 0])
            + SampleFile.pngChunk("eXIf", SampleFile.exif(orientation: 8, littleEndian: false))
        let header = try PNGHeader(file: SampleFile.png(extra: extra))
        #expect(header.width == 7)
        #expect(header.height == 5)
        #expect(header.colorType == .rgba)
        #expect(header.hasAlpha)
        #expect(header.frameCount == 3)
        #expect(header.isAnimated)
        #expect(header.isComplete)
        #expect(header.orientation == .turnedLeft)
        #expect(header.hasMetadata)
    }

    @Test func `an unknown critical PNG chunk is refused`() {
        let bytes = SampleFile.png(extra: SampleFile.pngChunk("XXXX", []))
        #expect(throws: MediaHeaderError.malformed("PNG: unknown critical chunk")) { try PNGHeader(file: bytes) }
    }

    @Test func `the header of a GIF has size, frames and duration`() throws {
        let header = try GIFHeader(file: SampleFile.gif())
        #expect(header.width == 2)
        #expect(header.height == 1)
        #expect(header.frameCount == 2)
        #expect(header.durationMilliseconds == 140)
        #expect(header.hasTransparency)
        #expect(header.isComplete)
        #expect(header.hasMetadata)
    }

    @Test func `lossy, lossless and animated WebP files are distinguished`() throws {
        let lossy = try WebPHeader(file: SampleFile.fixture("picture.webp"))
        #expect(lossy.isComplete && !lossy.isLossless && !lossy.hasAlpha && !lossy.isAnimated)
        let lossless = try WebPHeader(file: SampleFile.fixture("lossless-alpha.webp"))
        #expect(lossless.isComplete && lossless.isLossless && lossless.hasAlpha)
        #expect(lossless.width == 600 && lossless.height == 400)
        let animated = try WebPHeader(file: SampleFile.fixture("animated.webp"))
        #expect(animated.isAnimated && animated.frameCount == 8 && animated.times.delays.allSatisfy { $0 == 100 })
    }

    @Test func `a truncated WebP is refused`() throws {
        let bytes = Array(SampleFile.fixture("picture.webp").dropLast(100))
        #expect(throws: MediaHeaderError.self) { try WebPHeader(file: bytes) }
    }

    @Test func `the EXIF of a WebP is read both with and without the JPEG prefix`() throws {
        let image = ("VP8L", [0x2F, 9, 0x40, 0, 0x10, 0, 0] as [UInt8])
        for prefix in [[], Array("Exif\0\0".utf8)] {
            let bytes = SampleFile.riff([image, ("EXIF", prefix + SampleFile.exif(orientation: 5))])
            let header = try WebPHeader(file: bytes)
            #expect(header.orientation == .transposed)
            #expect(header.hasAlpha)
            #expect(header.hasMetadata)
        }
    }
}
