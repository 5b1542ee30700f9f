import MediaHeaders
import TestSupport
import Testing

/// Tests of the refused files, and of the texts of their errors.
@Suite struct HEIFRefusalTests {
    private static func changed(_ sample: SampleHEIF, _ change: (inout SampleHEIF) -> Void) -> [UInt8] {
        var sample = sample
        change(&sample)
        return sample.bytes
    }

    private static let still = SampleHEIF.still()
    private static let grid = SampleHEIF.gridded(rows: 2, columns: 2, width: 100, height: 90)

    static let table: [(bytes: [UInt8], expected: MediaHeaderError)] = [
        (SampleHEIF.still(type: "j2k1").bytes, .unsupported("HEIF item 'j2k1'")),
        (SampleHEIF.still(type: "iovl").bytes, .unsupported("HEIF item 'iovl'")),
        (SampleHEIF.still(type: "av01").bytes, .malformed("AV1 configuration")),
        (SampleHEIF.still([SampleHEIF.box("lsel", [0, 0])]).bytes, .unsupported("HEIF property 'lsel'")),
        (changed(still) { $0.items[0].protection = 1 }, .unsupported("encrypted HEIF items")),
        (changed(still) { $0.items[0].method = 2 }, .unsupported("HEIF items made of other items")),
        (changed(still) { $0.items[0].dataReference = 1 }, .unsupported("HEIF items in another file")),
        (changed(still) { $0.items[0].method = 1 }, .malformed("HEIF item 1: no item data box")),
        (changed(still) { $0.items[0].properties = [2] }, .malformed("HEIF item 1: no size")),
        (changed(still) { $0.items[0].properties = [1, 2, 3] }, .malformed("HEIF item 1: no property 3")),
        (changed(still) { $0.items[0].properties = [1] }, .malformed("HEVC configuration")),
        (changed(still) { $0.items[0].extents = [] }, .malformed("HEIF item 1: no data")),
        (
            changed(still) { $0.items[0].extents = Array(repeating: (0, 1), count: 1_025) },
            .excessive("extents of HEIF item 1")
        ),
        (changed(still) { $0.primary = 2 }, .malformed("HEIF item 2: not listed")),
        (changed(still) { $0.handler = "mdir" }, .malformed("HEIF without a meta box")),
        (changed(still) { $0.properties[0] = SampleHEIF.size(0, 9) }, .malformed("HEIF image size")),
        (changed(still) { $0.properties[0] = SampleHEIF.size(0xFFFF_FFFF, 9) }, .malformed("HEIF image size")),
        (
            changed(still) { $0.items += (2...4_097).map { .init(id: $0, type: "hvc1", properties: [1, 2]) } },
            .excessive("HEIF items")
        ),
        (
            changed(still) { $0.items[0].references = Array(repeating: ("cdsc", [1]), count: 16_385) },
            .excessive("HEIF item references")
        ),
        (SampleHEIF.still([SampleHEIF.crop([0, 1, 9, 1, 0, 1, 0, 1])]).bytes, .malformed("HEIF crop")),
        (SampleHEIF.still([SampleHEIF.crop([9, 1, 9, 0, 0, 1, 0, 1])]).bytes, .malformed("HEIF crop")),
        (SampleHEIF.still([SampleHEIF.crop([1 << 31, 1, 9, 1, 0, 1, 0, 1])]).bytes, .malformed("HEIF crop")),
        (
            SampleHEIF.still([SampleHEIF.crop([9, 1, 9, 1, 99, 1, 0, 1])]).bytes,
            .malformed("HEIF crop: beyond the image")
        ),
        (changed(grid) { $0.items[0].references = [("dimg", [2, 3, 4])] }, .malformed("HEIF grid: number of tiles")),
        (
            changed(grid) { $0.inline = SampleHEIF.grid(2, 2, 129, 90) },
            .malformed("HEIF grid: tiles smaller than the image")
        ),
        (changed(grid) { $0.inline = SampleHEIF.grid(33, 32, 100, 90) }, .excessive("HEIF tiles")),
        (changed(grid) { $0.inline[0] = 1 }, .malformed("HEIF grid")),
        (changed(grid) { $0.inline = SampleHEIF.grid(2, 2, 0, 90) }, .malformed("HEIF grid size")),
        (
            changed(grid) {
                $0.properties += [SampleHEIF.size(64, 64)]
                $0.items[2].properties = [3, 2]
            }, .malformed("HEIF grid: unlike tiles")
        ),
        (
            changed(grid) {
                $0.properties += [SampleHEIF.rotation(1)]
                $0.items[2].properties = [1, 2, 3]
            }, .unsupported("HEIF grids of turned tiles")
        ),
        // These files have circular references: a grid of itself, an item derived from itself, and two items derived
        // from each other.
        (changed(grid) { $0.items[0].references = [("dimg", [1, 2, 3, 4])] }, .unsupported("HEIF item 'grid'")),
        (
            changed(.still(type: "iden")) { $0.items[0].references = [("dimg", [1])] },
            .excessive("HEIF items that stand for others")
        ),
        (
            changed(.still(type: "iden")) {
                $0.items[0].references = [("dimg", [2])]
                $0.items.append(.init(id: 2, type: "iden", references: [("dimg", [1])]))
            }, .excessive("HEIF items that stand for others")
        ),
        (SampleHEIF.still(type: "iden").bytes, .malformed("HEIF item 1: not derived of one item")),
        (still.head + SampleHEIF.box("mini", [1, 2]), .unsupported("HEIF in its minimized form")),
        (still.head, .malformed("HEIF without a meta box")),
        (still.head + SampleHEIF.big(1_000, 4) + Array("mdat".utf8), .truncated("the HEIF file, before its meta box")),
        (still.head + SampleHEIF.big(7, 4) + Array("mdat".utf8), .malformed("size of a box 'mdat'")),
        (still.head + SampleHEIF.big(9, 4) + [0, 1, 2, 3, 4], .malformed("HEIF box 0x10203")),
    ]

    @Test(arguments: table.indices)
    func `a file that cannot be shown is refused, and the error names the fault`(_ index: Int) {
        #expect(throws: Self.table[index].expected) { try HEIFHeader(file: Self.table[index].bytes) }
    }

    @Test func `an unknown property that is not essential is ignored`() throws {
        var sample = SampleHEIF.still([SampleHEIF.box("lsel", [0, 0])])
        sample.items[0].properties = [1, 2, -3]
        #expect(try HEIFHeader(file: sample.bytes).width == 64)
    }

    @Test func `an image that refers to itself as alpha or thumbnail has no alpha or thumbnail`() throws {
        var sample = SampleHEIF.still([SampleHEIF.auxiliary("urn:mpeg:hevc:2015:auxid:1")])
        sample.items[0].references = [("auxl", [1]), ("thmb", [1]), ("prem", [1])]
        let header = try HEIFHeader(file: sample.bytes)
        #expect(header.alpha == nil && header.thumbnails.isEmpty && !header.isPremultiplied)
        // The alpha has an alpha, which is the first image.
        sample.items[0].references = [("auxl", [2])]
        sample.items.append(.init(id: 2, type: "hvc1", properties: [1, 2, 3], references: [("auxl", [1])]))
        #expect(try HEIFHeader(file: sample.bytes).alpha != nil)
    }

    @Test func `a grid may repeat one tile, as long as the extents do not exceed their limit`() throws {
        var sample = SampleHEIF.gridded(rows: 32, columns: 32, width: 2_048, height: 1_536)
        sample.items[0].references = [("dimg", [Int](repeating: 2, count: 1_024))]
        sample.items = Array(sample.items[..<2])
        #expect(try HEIFHeader(file: sample.bytes).image.tiles.count == 1_024)
        sample.items[1].extents = Array(repeating: (0, 1), count: 100)
        #expect(throws: MediaHeaderError.excessive("extents of HEIF items")) { try HEIFHeader(file: sample.bytes) }
    }
}
