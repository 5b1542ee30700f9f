import Base
import TestSupport
import Testing

@testable import MediaHeaders

/// Tests with files that are written box by box, because no available encoder writes them.
@Suite struct HEIFItemTests {
    private static let alphaName = "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha"

    @Test(arguments: [0, 1, 2], [0, 4, 8])
    func `boxes of all versions and field widths give the same header`(_ version: Int, _ lengthBytes: Int) throws {
        var sample = SampleHEIF.still()
        sample.locationVersion = version
        sample.itemVersion = version == 2 ? 3 : 2
        sample.primaryVersion = min(version, 1)
        sample.associationVersion = min(version, 1)
        sample.hasWideIndices = version > 0
        sample.lengthBytes = lengthBytes
        sample.offsetBytes = max(4, lengthBytes)
        sample.items[0].extents = [(3, 5)]
        let header = try HEIFHeader(file: sample.bytes)
        let start = sample.mediaOffset + 3
        // An extent without a length reaches to the end of the file.
        #expect(header.image.tiles[0].extents == [start..<(lengthBytes == 0 ? sample.bytes.count : start + 5)])
        #expect([header.width, header.height] == [64, 48])
        #expect(header.isComplete)
    }

    @Test func `the extents of an item are listed in the order of the file's table`() throws {
        var sample = SampleHEIF.still()
        sample.items[0].extents = [(9, 2), (0, 0), (1, 3)]
        let at = sample.mediaOffset
        #expect(try HEIFHeader(file: sample.bytes).image.tiles[0].extents == [at + 9..<at + 11, at + 1..<at + 4])
    }

    @Test func `the bytes of an item may be in the item data box`() throws {
        var sample = SampleHEIF.still()
        sample.inline = [1, 2, 3, 4, 5]
        sample.items[0].method = 1
        sample.items[0].extents = [(1, 4)]
        let image = try HEIFHeader(file: sample.bytes).image
        #expect(image.tiles[0].extents.flatMap { sample.bytes[$0] } == [2, 3, 4, 5])
    }

    @Test func `rotations and crops apply in the order of their association`() throws {
        // The image has 64 × 48 pixels. Ten columns are cut off on the left, the image is turned left, then ten rows
        // are cut off at the bottom. The bottom is the former left side.
        let crop = SampleHEIF.crop([54, 1, 48, 1, 5, 1, 0, 1])
        let second = SampleHEIF.crop([48, 1, 44, 1, 0, 1, -5, 1])
        let early = try HEIFHeader(file: SampleHEIF.still([crop, SampleHEIF.rotation(1), second]).bytes)
        #expect(early.image.framing.crop == Rectangle<Int>(x: 20, y: 0, width: 44, height: 48))
        #expect(early.image.framing.orientation == .turnedLeft)
        #expect([early.width, early.height] == [48, 44])
        let mirrored = try HEIFHeader(file: SampleHEIF.still([SampleHEIF.rotation(1), SampleHEIF.mirror(1)]).bytes)
        let turned = try HEIFHeader(file: SampleHEIF.still([SampleHEIF.mirror(1), SampleHEIF.rotation(1)]).bytes)
        #expect(mirrored.image.framing.orientation == .transversed)
        #expect(turned.image.framing.orientation == .transposed)
    }

    @Test(arguments: [
        // Fractions are rounded to the nearest pixel. A half in the position of the corner is rounded up. The part
        // beyond the image is omitted.
        ([54, 1, 40, 1, 0, 1, 0, 1], [5, 4, 54, 40]), ([53, 1, 40, 1, 1, 2, 0, 1], [6, 4, 53, 40]),
        ([53, 1, 40, 1, 0, 1, 0, 1], [6, 4, 53, 40]), ([107, 2, 81, 2, 0, 1, 0, 1], [5, 4, 54, 41]),
        ([64, 1, 48, 1, 10, 1, -7, 1], [10, 0, 54, 41]), ([1000, 1, 1000, 1, 0, 1, 0, 1], [0, 0, 64, 48]),
        ([1, 0xFFFF_FFFF, 1, 1, 0, 1, 0, 1], [32, 24, 1, 1]),
    ])
    func `the fractions of a crop are rounded to whole pixels`(_ numbers: [Int], _ expected: [Int]) throws {
        let crop = try HEIFHeader(file: SampleHEIF.still([SampleHEIF.crop(numbers)]).bytes).image.framing.crop
        #expect([crop.x, crop.y, crop.width, crop.height] == expected)
    }

    @Test func `the rotation of a derived image is added to the rotation of the source image`() throws {
        var sample = SampleHEIF.still([SampleHEIF.rotation(1), SampleHEIF.mirror(0)])
        sample.items[0].properties = [1, 2, 3]
        sample.items.append(.init(id: 9, type: "iden", properties: [4], extents: [], references: [("dimg", [1])]))
        sample.primary = 9
        let header = try HEIFHeader(file: sample.bytes)
        #expect(header.image.framing.orientation == .transposed)
        #expect(header.image.tiles[0].extents == [sample.mediaOffset..<sample.mediaOffset + 4])
    }

    @Test(arguments: [alphaName, "urn:mpeg:hevc:2015:auxid:1"], [true, false])
    func `an alpha image is found by its type, and its premultiplication is found by a reference`(
        _ name: String, _ premultiplied: Bool
    ) throws {
        var sample = SampleHEIF.still([SampleHEIF.auxiliary("urn:mpeg:hevc:2015:auxid:2"), SampleHEIF.auxiliary(name)])
        sample.items[0].properties = [1, 2]
        if premultiplied {
            sample.items[0].references = [("prem", [7])]
            sample.referenceVersion = 1
        }
        sample.items += [
            // The first item is a depth map, and the second item has a property that does not exist.
            .init(id: 5, type: "hvc1", properties: [1, 2, 3], references: [("auxl", [1])]),
            .init(id: 6, type: "hvc1", properties: [1, 2, 9], references: [("auxl", [1])]),
            .init(id: 7, type: "hvc1", properties: [1, 2, 4], extents: [(20, 3)], references: [("auxl", [1])]),
        ]
        let header = try HEIFHeader(file: sample.bytes)
        #expect(header.alpha?.tiles[0].extents == [sample.mediaOffset + 20..<sample.mediaOffset + 23])
        #expect(header.isPremultiplied == premultiplied)
    }

    @Test func `the alpha of an image may be a grid`() throws {
        var sample = SampleHEIF.gridded(rows: 1, columns: 2, width: 100, height: 40)
        sample.properties.append(SampleHEIF.auxiliary(Self.alphaName))
        sample.items.append(
            .init(
                id: 9, type: "grid", properties: [3], extents: [(0, 8)],
                references: [("auxl", [1]), ("dimg", [3, 2])], method: 1))
        let header = try HEIFHeader(file: sample.bytes)
        #expect(header.alpha?.tiles.map(\.extents) == header.image.tiles.map(\.extents).reversed())
        #expect(header.alpha?.width == 100)
    }

    @Test func `each tile of a grid may have a separate alpha image`() throws {
        var sample = SampleHEIF.gridded(rows: 1, columns: 2, width: 100, height: 40)
        sample.properties += [SampleHEIF.auxiliary("urn:mpeg:hevc:2015:auxid:2"), SampleHEIF.auxiliary(Self.alphaName)]
        sample.items += [
            .init(id: 5, type: "hvc1", properties: [1, 2, 3], references: [("auxl", [2, 3])]),
            .init(id: 6, type: "hvc1", properties: [1, 2, 4], extents: [(20, 3)], references: [("auxl", [3])]),
        ]
        #expect(try HEIFHeader(file: sample.bytes).alpha == nil)
        sample.items.append(
            .init(id: 7, type: "hvc1", properties: [1, 2, 4], extents: [(30, 3)], references: [("auxl", [2])]))
        sample.items[1].references = [("prem", [7])]
        let header = try HEIFHeader(file: sample.bytes)
        let alpha = try #require(header.alpha)
        #expect(alpha.tiles.map { $0.extents[0].lowerBound - sample.mediaOffset } == [30, 20])
        #expect([alpha.width, alpha.height, alpha.columns, alpha.rows] == [100, 40, 2, 1])
        #expect(header.isPremultiplied)
    }

    @Test func `an alpha of an unknown codec is ignored, and a file with an alpha without data is refused`() throws {
        var sample = SampleHEIF.still([SampleHEIF.auxiliary(Self.alphaName)])
        sample.items[0].properties = [1, 2]
        sample.items.append(.init(id: 2, type: "j2k1", properties: [1, 2, 3], references: [("auxl", [1])]))
        #expect(try HEIFHeader(file: sample.bytes).alpha == nil)
        sample.items[1].type = "hvc1"
        sample.items[1].extents = []
        #expect(throws: MediaHeaderError.malformed("HEIF item 2: no data")) { try HEIFHeader(file: sample.bytes) }
    }

    @Test func `a damaged thumbnail is ignored`() throws {
        var sample = SampleHEIF.still()
        sample.items += [
            .init(id: 2, type: "hvc1", properties: [2], references: [("thmb", [1])]),
            .init(id: 3, type: "hvc1", properties: [1, 2], extents: [(30, 4)], references: [("thmb", [1])]),
            .init(id: 4, type: "hvc1", properties: [1, 2], references: [("thmb", [3])]),
        ]
        let header = try HEIFHeader(file: sample.bytes)
        #expect(header.thumbnails.map { $0.tiles[0].extents[0].lowerBound } == [sample.mediaOffset + 30])
    }

    @Test func `the color space, the ICC profile and the bit depth are found`() throws {
        let code = SampleHEIF.box("colr", Array("nclx".utf8) + [0, 9, 0, 16, 0, 9, 0x80])
        let profile = SampleHEIF.box("colr", Array("prof".utf8) + [7, 8, 9])
        let sample = SampleHEIF.still([profile, code])
        let image = try HEIFHeader(file: sample.bytes).image
        #expect(image.color == CodedColor(primaries: 9, transfer: 16, matrix: 9, isFullRange: true))
        #expect(Array(sample.bytes[try #require(image.profile)]) == [7, 8, 9])
        let jpeg = SampleHEIF.still([SampleHEIF.full("pixi", 0, [3, 8, 8, 8])], type: "jpeg")
        let other = try HEIFHeader(file: jpeg.bytes).image
        #expect(other.codec == .jpeg && other.bitDepth == 8 && other.sampling == nil)
        #expect(other.tiles[0].configuration == nil)
    }

    @Test(arguments: [
        (0x0C, 8, HEIFImage.Sampling.yuv420), (0x08, 8, .yuv422), (0x00, 8, .yuv444), (0x1C, 8, .gray),
        (0x4C, 10, .yuv420), (0x60, 12, .yuv444),
    ])
    func `an AV1 record has depth and sampling`(_ flags: UInt8, _ depth: Int, _ sampling: HEIFImage.Sampling) throws {
        var sample = SampleHEIF.still([SampleHEIF.av1(flags)], type: "av01")
        sample.brands = ["avif", "mif1"]
        let image = try HEIFHeader(file: sample.bytes).image
        #expect(image.codec == .av1 && image.bitDepth == depth && image.sampling == sampling)
    }

    @Test func `the header reports a track that a file has in addition to its image`() throws {
        var sample = SampleHEIF.still()
        sample.trailer = SampleHEIF.box("moov", SampleHEIF.box("mvhd", []) + SampleHEIF.box("trak", []))
        #expect(try HEIFHeader(file: sample.bytes).hasTrack)
        let alone = sample.head + sample.trailer
        #expect(throws: MediaHeaderError.unsupported("HEIF with a track and no image")) {
            try HEIFHeader(file: alone)
        }
    }

    @Test func `bytes after the last box do not affect the image`() throws {
        var sample = SampleHEIF.still()
        for trailer: [UInt8] in [[0, 0, 0, 3, 1, 2, 3, 4, 5], [0, 0, 0, 2] + Array("SEFT".utf8)] {
            sample.trailer = trailer
            #expect(try HEIFHeader(file: sample.bytes).isComplete)
        }
    }

    @Test func `media data of any size is skipped`() throws {
        let sample = SampleHEIF.still()
        // The first box has a size of 64 bits. The second box extends to the end of the file.
        let long = SampleHEIF.big(1, 4) + Array("free".utf8) + SampleHEIF.big(24, 8) + [UInt8](repeating: 0, count: 8)
        let open = SampleHEIF.big(0, 4) + Array("mdat".utf8) + [1, 2, 3]
        let header = try HEIFHeader(file: sample.bytes + long + open)
        #expect(header.isComplete)
    }
}
