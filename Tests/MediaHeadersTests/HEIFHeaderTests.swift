import Base
import TestSupport
import Testing

@testable import MediaHeaders

/// Tests of real files, which x265 and libaom have coded. scripts/make-heif-fixtures checks each file with libheif or
/// libavif.
@Suite struct HEIFHeaderTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        var name: String
        var stored = [192, 128]
        var shown = [192, 128]
        var crop: Rectangle<Int>?
        var orientation = ImageOrientation.upright
        var tiles = 1
        var bitDepth = 8
        var testDescription: String { name }
    }

    static let samples = [
        Sample(name: "heic-plain.heic"), Sample(name: "heic-alpha.heic"), Sample(name: "avif-plain.avif"),
        Sample(name: "avif-alpha.avif"),
        Sample(name: "heic-rotated.heic", stored: [128, 192], orientation: .turnedLeft),
        Sample(name: "heic-mirrored.heic", orientation: .mirrored),
        Sample(
            name: "heic-cropped.heic", stored: [218, 172],
            crop: Rectangle<Int>(x: 5, y: 11, width: 192, height: 128)),
        Sample(
            name: "heic-cropped-turned.heic", stored: [150, 200],
            crop: Rectangle<Int>(x: 4, y: 6, width: 128, height: 192), orientation: .transposed),
        Sample(name: "heic-grid.heic", stored: [241, 187], shown: [241, 187], tiles: 4),
        Sample(name: "heic-thumbnail.heic", stored: [640, 426], shown: [640, 426]),
        Sample(name: "heic-10bit.heic", bitDepth: 10),
        Sample(name: "avif-rotated.avif", stored: [128, 192], orientation: .turnedRight),
        Sample(name: "avif-grid.avif", stored: [242, 186], shown: [242, 186], tiles: 4),
        Sample(name: "avif-mirrored.avif", orientation: .flipped),
    ]

    @Test(arguments: samples)
    func `the boxes of a real file describe how its image is decoded and shown`(_ sample: Sample) throws {
        let bytes = SampleFile.fixture(sample.name)
        let header = try HEIFHeader(file: bytes)
        let image = header.image
        #expect(image.codec == (sample.name.hasSuffix("heic") ? .hevc : .av1))
        #expect([image.width, image.height] == sample.stored)
        #expect([header.width, header.height] == sample.shown)
        let whole = Rectangle<Int>(x: 0, y: 0, width: sample.stored[0], height: sample.stored[1])
        #expect(image.framing.crop == sample.crop ?? whole)
        #expect(image.framing.orientation == sample.orientation)
        #expect(image.tiles.count == sample.tiles)
        #expect(image.bitDepth == sample.bitDepth)
        #expect(image.sampling == .yuv420)
        #expect(image.color == CodedColor(primaries: 1, transfer: 13, matrix: 6, isFullRange: true))
        #expect((header.alpha != nil) == sample.name.contains("alpha"))
        #expect(header.isComplete && !header.hasTrack && !header.isPremultiplied)
        #expect(MediaSignature.of(file: bytes) == (sample.name.hasSuffix("heic") ? .heic : .avif))
    }

    @Test(arguments: samples)
    func `each tile has its configuration and lies in the media data`(_ sample: Sample) throws {
        let bytes = SampleFile.fixture(sample.name)
        let image = try HEIFHeader(file: bytes).image
        #expect(Set(image.tiles.map(\.extents)).count == sample.tiles)
        for tile in image.tiles {
            let configuration = Array(bytes[try #require(tile.configuration)])
            #expect(configuration.count >= (image.codec == .hevc ? 23 : 4))
            let data = tile.extents.flatMap { bytes[$0] }
            #expect(data.count == tile.byteCount)
            if image.codec == .hevc {
                // The data consists of units, each with a length of four bytes and a body.
                var offset = 0
                while offset + 4 <= data.count {
                    offset += 4 + data[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
                }
                #expect(offset == data.count)
            } else {
                // The first byte belongs to a temporal delimiter or a sequence header.
                #expect([0x12, 0x0A].contains(data[0]))
            }
        }
    }

    @Test func `a grid lists its tiles row by row`() throws {
        let image = try HEIFHeader(file: SampleFile.fixture("heic-grid.heic")).image
        #expect([image.columns, image.rows, image.tileWidth, image.tileHeight] == [2, 2, 128, 128])
        #expect(image.isGrid)
        let starts = image.tiles.map { $0.extents[0].lowerBound }
        #expect(starts == starts.sorted())
        #expect(image.decodedBytes == 4 * 128 * 128 * 3 / 2)
    }

    @Test(arguments: ["heic-alpha.heic", "avif-alpha.avif"])
    func `the alpha is a separate gray image`(_ name: String) throws {
        let header = try HEIFHeader(file: SampleFile.fixture(name))
        let alpha = try #require(header.alpha)
        #expect(alpha.sampling == .gray)
        #expect([alpha.width, alpha.height] == [192, 128])
        #expect(alpha.tiles[0].extents != header.image.tiles[0].extents)
        #expect(alpha.tiles[0].configuration != header.image.tiles[0].configuration)
        #expect(header.decodedBytes == 192 * 128 * 5 / 2)
    }

    @Test func `a thumbnail is a separate image`() throws {
        let header = try HEIFHeader(file: SampleFile.fixture("heic-thumbnail.heic"))
        #expect(header.thumbnails.map { [$0.width, $0.height] } == [[160, 106]])
    }

    @Test func `EXIF and XMP are found, and the orientation of EXIF is ignored`() throws {
        let turned = try HEIFHeader(file: SampleFile.fixture("heic-rotated.heic"))
        #expect(turned.hasExif && !turned.hasXMP && turned.hasMetadata)
        #expect(turned.image.framing.orientation == .turnedLeft)
        #expect(turned.image.tiles[0].extents.count == 2)
        let described = try HEIFHeader(file: SampleFile.fixture("avif-rotated.avif"))
        #expect(!described.hasExif && described.hasXMP && described.hasMetadata)
        #expect(try !HEIFHeader(file: SampleFile.fixture("heic-plain.heic")).hasMetadata)
    }

    @Test(arguments: ["photo-small.jpg", "video-1080p.mp4", "picture.webp", "empty.jpg"])
    func `a file of another format is not read as HEIF`(_ name: String) {
        #expect(throws: MediaHeaderError.wrongFormat) { try HEIFHeader(file: SampleFile.fixture(name)) }
    }
}
