import Base
import TestSupport
import Testing
import TranscodeProtocol

@testable import MediaTranscoder

/// The tests of small TIFFs that are written here, with their pixels.
@Suite struct TIFFTests {
    private static let red: [UInt8] = [255, 0, 0, 255]
    private static let white: [UInt8] = [255, 255, 255, 255]
    private static let black: [UInt8] = [0, 0, 0, 255]
    private static let middle: [UInt8] = [128, 128, 128, 255]

    /// Returns a TIFF with a single strip of 2 × 1 pixels, of which the second one is black.
    private static func pair(
        bits: [Int], _ photometric: Int, _ bytes: [UInt8], _ compression: Int = 1, changes: [Int: [Int]] = [:]
    ) -> SampleTIFF {
        SampleTIFF(
            bits: bits, photometric: photometric, compression: compression, size: (2, 1), rows: 1, parts: [bytes],
            changes: changes)
    }

    /// The samples, each with the color of its first pixel. The second pixel is black.
    private static let kinds: [(String, SampleTIFF, [UInt8])] = [
        ("grey of 1 bit", pair(bits: [1], 1, [0b1000_0000]), white),
        ("inverted grey of 1 bit", pair(bits: [1], 0, [0b0100_0000]), white),
        ("fill order 2", pair(bits: [1], 1, [0b0000_0001], changes: [266: [2]]), white),
        ("grey of 2 bits", pair(bits: [2], 1, [0b1100_0000]), white),
        ("grey of 4 bits", pair(bits: [4], 1, [0xF0]), white),
        ("grey of 6 bits", pair(bits: [6], 1, [0xFC, 0]), white),
        ("grey of 12 bits", pair(bits: [12], 1, [0x80, 0, 0]), middle),
        ("grey of 16 bits", pair(bits: [16], 1, [0x80, 0x80, 0, 0]), middle),
        ("inverted grey of 16 bits", pair(bits: [16], 0, [0x7F, 0x7F, 255, 255]), middle),
        ("grey with a sample that means nothing", pair(bits: [8, 8], 1, [128, 3, 0, 3]), middle),
        ("grey with alpha", pair(bits: [8, 8], 1, [128, 51, 0, 255], changes: [338: [2]]), [128, 128, 128, 51]),
        ("palette of 1 bit", pair(bits: [1], 3, [0x80], changes: [320: [0, 65_535, 0, 0, 0, 0]]), red),
        (
            "palette of 8 bits in the table",
            pair(bits: [2], 3, [0x40], changes: [320: [0, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]]), red
        ),
        (
            "a palette of 16 bits that is missing, which libtiff takes for grey",
            pair(bits: [16], 3, [0x80, 0x80, 0, 0]), middle
        ),
        ("RGB of 4 bits", pair(bits: [4, 4, 4], 2, [0xF0, 0, 0]), red),
        ("RGB of 16 bits", pair(bits: [16, 16, 16], 2, [255, 255] + [UInt8](repeating: 0, count: 10)), red),
        ("RGB and two more samples", pair(bits: [8, 8, 8, 8, 8], 2, [255, 0, 0, 1, 2, 0, 0, 0, 1, 2]), red),
        (
            "RGB multiplied by alpha",
            pair(bits: [8, 8, 8, 8], 2, [51, 0, 0, 51, 0, 0, 0, 255], changes: [338: [1]]), [255, 0, 0, 51]
        ),
        ("RGB without an interpretation", pair(bits: [8, 8, 8], 2, [255, 0, 0, 0, 0, 0], changes: [262: []]), red),
        ("L*a*b*", pair(bits: [8, 8, 8], 8, [255, 0, 0, 0, 0, 0]), white),
        ("CMYK", pair(bits: [8, 8, 8, 8], 5, [0, 255, 255, 0, 0, 0, 0, 255]), red),
        (
            "CMYK of 16 bits multiplied by alpha",
            pair(
                bits: [16, 16, 16, 16, 16], 5,
                [0, 0, 51, 51, 51, 51, 0, 0, 51, 51] + [0, 0, 0, 0, 0, 0, 255, 255, 255, 255], changes: [338: [1]]),
            [255, 0, 0, 51]
        ),
        ("PackBits", pair(bits: [8], 1, [1, 128, 0], 32_773), middle),
        (
            "Deflate with differences",
            pair(bits: [8], 1, [0x78, 1, 1, 2, 0, 0xFD, 0xFF, 128, 128, 1, 0x82, 1, 1], 8, changes: [317: [2]]), middle
        ),
        ("LZW of before TIFF 6", pair(bits: [8], 1, [0, 1, 1, 8, 8], 5), middle),
    ]

    private func pixels(_ bytes: [UInt8]) throws -> [[UInt8]] { try Workbench.rows(of: bytes, as: .tiff) }

    @Test(arguments: kinds.indices)
    func `the pixels of a TIFF are equal in every byte order and offset size`(_ index: Int) throws {
        var (name, sample, first) = Self.kinds[index]
        for isBig in [false, true] {
            for isLittleEndian in [true, false] {
                (sample.isBig, sample.isLittleEndian) = (isBig, isLittleEndian)
                let row = try #require(try pixels(sample.bytes).first, "\(name)")
                let isLike = zip(row, first + Self.black).allSatisfy { abs(Int($0) - Int($1)) <= 1 }
                #expect(row.count == 8 && isLike, "\(name), big: \(isBig), little-endian: \(isLittleEndian): \(row)")
            }
        }
    }

    @Test(arguments: [false, true])
    func `the 16-bit samples have the byte order of the file`(_ isLittleEndian: Bool) throws {
        var sample = Self.pair(bits: [16], 1, isLittleEndian ? [0x01, 0x80, 0xFF, 0] : [0x80, 0x01, 0, 0xFF])
        sample.isLittleEndian = isLittleEndian
        let row = try #require(try pixels(sample.bytes).first)
        #expect(abs(Int(row[0]) - 128) <= 1 && row[4] <= 1, "\(row)")
    }

    @Test func `samples in planes, and samples in tiles beyond the edge, are read as the same image`() throws {
        let whole = try pixels(SampleTIFF().bytes)
        #expect(whole.map { $0[0] } == [5, 5, 5, 5, 6, 6])
        let planes = [4, 2, 4, 2, 4, 2].map { rows in [UInt8](repeating: rows == 4 ? 5 : 6, count: 4 * rows) }
        #expect(try pixels(SampleTIFF(parts: planes, changes: [284: [2]]).bytes) == whole)
        let tile = (0..<16).flatMap { row in [UInt8](repeating: row < 4 ? 5 : 6, count: 16 * 3) }
        let tiled = SampleTIFF(parts: [tile], changes: [278: [], 322: [16], 323: [16]])
        #expect(try pixels(tiled.bytes) == whole)
    }

    @Test(arguments: [("grey.jpg", 1), ("photo-small.jpg", 6), ("progressive.jpg", 6)], [6, 7])
    func `a JPEG in a TIFF is decoded to the same pixels as a separate JPEG`(
        _ image: (name: String, photometric: Int), _ compression: Int
    )
        throws
    {
        let jpeg = Workbench.fixture(image.name)
        let alone = try Workbench.rows(of: jpeg, as: .jpeg)
        let size = (alone[0].count / 4, alone.count)
        // Old-style JPEG has its position and its size in two more tags.
        let old = compression == 6 ? [513: [8], 514: [jpeg.count]] : [:]
        let sample = SampleTIFF(
            bits: image.photometric == 1 ? [8] : [8, 8, 8], photometric: image.photometric,
            compression: compression, size: size, rows: size.1, parts: [jpeg],
            changes: old.merging([530: image.photometric == 1 ? [] : [2, 2]]) { $1 })
        guard compression == 7 || image.name != "progressive.jpg" else {
            // Old-style JPEG is always baseline JPEG.
            #expect(throws: TranscodeFailure.self) { try pixels(sample.bytes) }
            return
        }
        let rows = try pixels(sample.bytes)
        try #require(rows.map(\.count) == alone.map(\.count))
        // Only every seventh row is compared, because the loop is slow in a debug build.
        let difference = stride(from: 0, to: rows.count, by: 7).reduce(0) { sum, row in
            zip(rows[row], alone[row]).reduce(sum) { $0 + abs(Int($1.0) - Int($1.1)) }
        }
        #expect(Double(difference) / Double(4 * size.0 * size.1) < 2.0 / 7)
    }

    @Test(arguments: [false, true])
    func `the first of several images is shown, even if the directories form a loop`(_ isBig: Bool) throws {
        var sample = SampleTIFF()
        sample.isBig = isBig
        let first = try pixels(sample.bytes)
        // The second image has another size. The third is a reduced copy of the first (subfile type 1).
        sample.pages = [
            SampleTIFF(size: (2, 6), parts: [[UInt8](repeating: 9, count: 24), [UInt8](repeating: 9, count: 12)]),
            SampleTIFF(changes: [254: [1]]),
        ]
        #expect(try pixels(sample.bytes) == first)
        sample.lastNext = 0x1_0000
        #expect(try pixels(sample.bytes) == first)
        sample.lastNext = (isBig ? 16 : 8) + 72
        #expect(try pixels(sample.bytes) == first)
    }

    /// The arguments are each value of the tag Orientation (TIFF 6.0), and the position at which the first stored
    /// pixel, which is red, must be shown.
    @Test(arguments: [
        (1, 0, 0), (2, 1, 0), (3, 1, 3), (4, 0, 3), (5, 0, 0), (6, 3, 0), (7, 3, 1), (8, 0, 1), (9, 0, 0),
    ])
    func `a TIFF is rotated by its orientation`(orientation: Int, x: Int, y: Int) throws {
        let black = [UInt8](repeating: 0, count: 3)
        let stored: [UInt8] = [255, 0, 0] + [[UInt8]](repeating: black, count: 7).joined()
        let sample = SampleTIFF(size: (2, 4), parts: [stored], changes: [274: [orientation]])
        let outcome = Workbench.run(sample.bytes, as: .tiff, [Workbench.order(.attachment, 16)])
        let rendition = try #require(outcome.outputs.first, "\(outcome.reply)")
        let rows = try Workbench.rows(of: rendition, as: .jpeg)
        #expect(rows.count == ((5...8).contains(orientation) ? 2 : 4))
        let reds = rows.map { row in stride(from: 0, to: row.count, by: 4).map { Int(row[$0]) } }
        let brightest = try #require(reds.joined().max())
        #expect(reds[y][x] == brightest && brightest > 40, "\(reds)")
    }

    /// The first profile of this test exchanges red and blue.
    @Test(arguments: [
        SampleTIFF(), SampleTIFF(bits: [16, 16, 16]),
        SampleTIFF(bits: [8, 8, 8, 8], changes: [338: [2]]),
    ])
    func `the colors of a TIFF become sRGB by its ICC profile`(_ sample: SampleTIFF) throws {
        var sample = sample
        let samples = sample.entries[258]?.values ?? []
        let pixel = samples.flatMap { bits in [UInt8](repeating: 0, count: bits / 8) }
        var red = pixel
        for index in 0..<(samples[0] / 8) { red[index] = 255 }
        // An opaque image would become a JPEG.
        if samples.count == 4 { red[3] = 128 }
        sample.parts = [4, 2].map { rows in Array([[UInt8]](repeating: red, count: 4 * rows).joined()) }
        for (profile, expected) in [(SampleProfile.redAndBlueSwapped, 2), (SampleProfile.ordinary, 0)] {
            sample.entries[34_675] = (7, profile.map(Int.init))
            let outcome = Workbench.run(sample.bytes, as: .tiff, [Workbench.order(.attachment, 16)])
            let rendition = try #require(outcome.outputs.first, "\(outcome.reply)")
            let shown = try Workbench.pixel(rendition, as: samples.count == 4 ? .png : .jpeg, x: 1, y: 1)
            #expect(shown[expected] > 240 && shown[2 - expected] < 15, "\(shown)")
        }
    }

    @Test func `the tags of a TIFF may have another order or occur twice`() throws {
        var sample = SampleTIFF()
        let tags = [256, 257, 258, 259, 262, 273, 277, 278, 279]
        let whole = try pixels(sample.bytes)
        for order in [tags.reversed(), tags + tags, [279, 256] + tags.dropFirst(2) + [257], tags + [256]] {
            sample.order = order
            sample.entries[279] = (4, [48, 24])
            sample.entries[273] = (4, [8, 56])
            #expect(try pixels(sample.bytes) == whole)
        }
    }

    private static let refused: [(SampleTIFF, TranscodeFailureCode, String)] = [
        (SampleTIFF(compression: 34_712), .unsupported, "compression 34712"),
        (SampleTIFF(compression: 34_887), .unsupported, "compression 34887"),
        (SampleTIFF(photometric: 32_803), .unsupported, "camera raw"),
        (SampleTIFF(photometric: 34_892), .unsupported, "camera raw"),
        (SampleTIFF(changes: [50_706: [1, 4, 0, 0]]), .unsupported, "camera raw"),
        (SampleTIFF(changes: [254: [1], 330: [70_000]]), .unsupported, "camera raw"),
        (SampleTIFF(photometric: 4), .unsupported, "PhotometricInterpretation=4"),
        (SampleTIFF(bits: [8, 8, 8, 8], photometric: 5, changes: [332: [2]]), .unsupported, "other inks"),
        (SampleTIFF(bits: [32, 32, 32], changes: [339: [3, 3, 3]]), .unsupported, "sample format 3"),
        (SampleTIFF(bits: [16, 16, 16], changes: [339: [2, 2, 2]]), .unsupported, "sample format 2"),
        (SampleTIFF(bits: [32, 32, 32]), .unsupported, "32 bits"), (SampleTIFF(bits: [24]), .unsupported, "24 bits"),
        (SampleTIFF(bits: [0, 0, 0]), .corrupt, "scanline size"), (SampleTIFF(bits: [8, 8, 5]), .corrupt, ""),
        (SampleTIFF(changes: [322: [0], 323: [16]]), .corrupt, ""),
        (SampleTIFF(bits: [8, 8], photometric: 2), .corrupt, "too few"),
        (SampleTIFF(changes: [256: []]), .corrupt, ""), (SampleTIFF(changes: [257: [0]]), .corrupt, ""),
        (SampleTIFF(changes: [256: [70_000]]), .tooManyPixels, "a side"),
        (SampleTIFF(changes: [256: [60_000], 257: [60_000]]), .tooManyPixels, "60000 x 60000"),
        (
            SampleTIFF(bits: [1], photometric: 1, rows: 30_000, parts: [[0]], changes: [256: [30_000], 257: [30_000]]),
            .tooManyPixels, "30000 x 30000"
        ),
        (SampleTIFF(changes: [256: [0xFFFF_FFFF], 257: [0xFFFF_FFFF]]), .corrupt, "strips"),
        (SampleTIFF(parts: [[UInt8](repeating: 5, count: 48), [6]]), .corrupt, ""),
        (SampleTIFF(changes: [273: [8, 0xFFFF_FFFF]]), .corrupt, ""), (SampleTIFF(compression: 7), .corrupt, ""),
        (SampleTIFF(compression: 8), .corrupt, ""), (SampleTIFF(compression: 5), .corrupt, ""),
    ]

    @Test(arguments: refused.indices)
    func `an unsupported TIFF is refused with its reason`(_ index: Int) throws {
        let (sample, code, words) = Self.refused[index]
        let result = Workbench.run(sample.bytes, as: .tiff, [Workbench.order(.thumbnail, 16)]).reply.result
        guard case .failure(let failure) = result else {
            Issue.record("\(index) is shown")
            return
        }
        #expect(failure.code == code && (words.isEmpty || failure.detail.contains(words)), "\(index): \(failure)")
    }

    @Test(arguments: [
        "tiff-lzw.tif", "tiff-deflate-rgba.tif", "tiff-16bit.tif", "tiff-cmyk.tif", "tiff-jpeg.tif",
        "../corners/tiff-tiles-bits.tif", "../corners/tiff-ycbcr-odd.tif",
    ])
    func `a TIFF that is truncated at any byte is corrupt`(_ name: String) {
        let whole = Workbench.fixture(name)
        for count in stride(from: 0, to: whole.count - 16, by: max(1, whole.count / 40)) {
            let outcome = Workbench.run(Array(whole[..<count]), as: .tiff, [Workbench.order(.thumbnail, 16)])
            #expect(outcome.failure == .corrupt, "\(name), \(count) bytes")
        }
    }
}
