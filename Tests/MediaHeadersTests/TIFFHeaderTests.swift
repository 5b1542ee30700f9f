import MediaHeaders
import TestSupport
import Testing

@Suite struct TIFFHeaderTests {
    @Test(arguments: [
        ("tiff-lzw.tif", TIFFCompression.lzw), ("tiff-deflate-rgba.tif", .deflate), ("tiff-16bit.tif", .deflate),
        ("tiff-cmyk.tif", .lzw), ("tiff-orientation-6.tif", .lzw),
    ])
    func `real files say size, coding and completeness`(_ name: String, _ compression: TIFFCompression) throws {
        let bytes = SampleFile.fixture(name)
        let header = try TIFFHeader(file: bytes)
        let isTurned = name.contains("orientation")
        #expect([header.width, header.height] == (isTurned ? [64, 96] : [96, 64]))
        #expect(header.orientation == (isTurned ? .turnedRight : .upright))
        #expect(header.bitDepth == (name.contains("16bit") ? 16 : 8))
        #expect(header.colorModel == (name.contains("cmyk") ? .cmyk : .rgb))
        #expect(header.alpha == (name.contains("rgba") ? .unassociated : .none))
        #expect(header.compression == compression && header.isComplete && !header.isPlanar)
        let samples = name.contains("rgba") ? 4 : 3
        #expect(header.decodedBytes == 96 * 64 * samples * header.bitDepth / 8)
        #expect(MediaSignature.of(file: bytes) == .tiff)
    }

    @Test(arguments: [true, false])
    func `both byte orders say the same`(_ isLittleEndian: Bool) throws {
        var sample = SampleTIFF(changes: [274: []])
        sample.entries[274] = (SampleTIFF.short, [8])
        sample.isLittleEndian = isLittleEndian
        let header = try TIFFHeader(file: sample.bytes)
        #expect([header.width, header.height, header.stripCount] == [4, 6, 2])
        #expect(header.orientation == .turnedLeft && header.isComplete)
    }

    static let layouts: [(SampleTIFF, TIFFHeader.ColorModel, TIFFHeader.Alpha, Int)] = [
        (SampleTIFF(bits: [1], photometric: 0), .grey, .none, 6),
        (SampleTIFF(bits: [2], photometric: 1), .grey, .none, 24),
        (SampleTIFF(bits: [4], photometric: 0), .grey, .none, 24),
        (SampleTIFF(bits: [8], photometric: 1), .grey, .none, 24),
        (SampleTIFF(bits: [12], photometric: 1), .grey, .none, 48),
        (SampleTIFF(bits: [16], photometric: 0), .grey, .none, 48),
        (SampleTIFF(bits: [8, 8], photometric: 1, changes: [338: [2]]), .grey, .unassociated, 48),
        (SampleTIFF(bits: [16, 16], photometric: 1), .grey, .unspecified, 96),
        (SampleTIFF(bits: [4], photometric: 3, changes: [320: [Int](repeating: 0, count: 48)]), .palette, .none, 24),
        (SampleTIFF(bits: [8, 8, 8, 8], changes: [338: [1]]), .rgb, .associated, 96),
        (SampleTIFF(bits: [8, 8, 8, 8], changes: [338: [0]]), .rgb, .unspecified, 96),
        (SampleTIFF(bits: [16, 16, 16, 16]), .rgb, .unspecified, 192),
        (SampleTIFF(bits: [8, 8, 8, 8], photometric: 5), .cmyk, .none, 72),
        (SampleTIFF(bits: [16, 16, 16, 16], photometric: 5), .cmyk, .none, 72),
        (
            SampleTIFF(
                bits: [8, 8, 8, 8], photometric: 5,
                changes: [284: [2], 278: [6], 273: [8, 8, 8, 8], 279: [24, 24, 24, 24]]), .cmyk, .none, 72
        ),
        (SampleTIFF(photometric: 6), .yCbCr, .none, 72),
        (SampleTIFF(photometric: 6, compression: 7), .yCbCr, .none, 72),
        (SampleTIFF(compression: 7), .rgb, .none, 72),
        (SampleTIFF(bits: [8, 8, 8, 8, 8], photometric: 5, changes: [338: [2]]), .cmyk, .unassociated, 96),
        (SampleTIFF(bits: [1], photometric: 1, compression: 4), .grey, .none, 6),
        (SampleTIFF(compression: 8, changes: [317: [2]]), .rgb, .none, 72),
        (SampleTIFF(bits: [1], photometric: 1, changes: [266: [2]]), .grey, .none, 6),
        (SampleTIFF(changes: [258: [8]]), .rgb, .none, 72), (SampleTIFF(changes: [339: [1, 1, 1]]), .rgb, .none, 72),
        (SampleTIFF(changes: [254: [1]]), .rgb, .none, 72),
    ]

    @Test(arguments: layouts.indices)
    func `layouts that are decoded are read`(_ index: Int) throws {
        let (sample, colorModel, alpha, decodedBytes) = Self.layouts[index]
        let header = try TIFFHeader(file: sample.bytes)
        #expect(header.colorModel == colorModel && header.alpha == alpha && header.isComplete)
        #expect(header.decodedBytes == decodedBytes)
    }

    @Test func `samples in planes have strips of their own`() throws {
        var sample = SampleTIFF(changes: [284: [2], 278: [6]])
        sample.entries[273] = (SampleTIFF.long, [8, 32, 56])
        sample.entries[279] = (SampleTIFF.short, [24, 24, 24])
        let header = try TIFFHeader(file: sample.bytes)
        #expect(header.isPlanar && header.isComplete && header.stripCount == 3)
        sample.entries[279] = (SampleTIFF.short, [24, 24, 23])
        #expect(try !TIFFHeader(file: sample.bytes).isComplete)
    }

    @Test func `strips outside the file, or shorter than their rows, are not complete`() throws {
        for sizes in [[48, 23], [47, 24], [0, 24]] {
            #expect(try !TIFFHeader(file: SampleTIFF(changes: [279: sizes]).bytes).isComplete)
        }
        #expect(try !TIFFHeader(file: SampleTIFF(changes: [273: [8, 9_999]]).bytes).isComplete)
        #expect(try !TIFFHeader(file: SampleTIFF(changes: [273: [8, 0xFFFF_FFFF]]).bytes).isComplete)
        #expect(try TIFFHeader(file: SampleTIFF(compression: 5, changes: [279: [3, 3]]).bytes).isComplete)
    }

    @Test func `no rows said, or none, are all rows`() throws {
        for rows in [[], [0], [0xFFFF_FFFF]] {
            let sample = SampleTIFF(changes: [278: rows, 273: [8], 279: [72]])
            #expect(try TIFFHeader(file: sample.bytes).stripCount == 1)
        }
    }

    @Test func `a profile is found, one beyond the file makes it incomplete`() throws {
        var sample = SampleTIFF()
        sample.entries[34_675] = (7, [Int](repeating: 33, count: 20))
        let bytes = sample.bytes
        let profile = try #require(try TIFFHeader(file: bytes).profile)
        #expect(Array(bytes[profile]) == [UInt8](repeating: 33, count: 20))
        let cut = try TIFFHeader(file: Array(bytes.dropLast()))
        #expect(cut.profile == nil && !cut.isComplete)
    }

    static let refused: [(SampleTIFF, String)] = [
        (SampleTIFF(compression: 6), "old-JPEG"), (SampleTIFF(bits: [16, 16, 16], compression: 7), "16 bits"),
        (SampleTIFF(bits: [8, 8, 8, 8], compression: 7), "4 samples"),
        (SampleTIFF(compression: 7, changes: [284: [2]]), "in planes"),
        (SampleTIFF(bits: [8], photometric: 0, compression: 7), "inverted"),
        (SampleTIFF(compression: 34_712), "JPEG-2000"), (SampleTIFF(compression: 50_000), "Zstandard"),
        (SampleTIFF(compression: 50_001), "WebP"), (SampleTIFF(compression: 65_535), "compression 65535"),
        (SampleTIFF(photometric: 6, changes: [530: [3, 1]]), "samplings of [3, 1]"),
        (SampleTIFF(photometric: 6, compression: 8, changes: [317: [2]]), "3 samples of 8 bits as yCbCr"),
        (SampleTIFF(photometric: 8), "L*a*b*"),
        (SampleTIFF(photometric: 32_803), "camera raw"), (SampleTIFF(photometric: 34_892), "camera raw"),
        (SampleTIFF(photometric: 4), "interpretation 4"), (SampleTIFF(changes: [50_706: [1]]), "camera raw"),
        (SampleTIFF(changes: [33_422: [1]]), "camera raw"), (SampleTIFF(changes: [254: [1], 330: [8]]), "small one"),
        (SampleTIFF(bits: [16, 16, 16], changes: [339: [3, 3, 3]]), "floating-point"),
        (SampleTIFF(changes: [339: [2, 2, 2]]), "sample format 2"), (SampleTIFF(bits: [5, 6, 5]), "unlike bits"),
        (SampleTIFF(bits: [4, 4, 4]), "of 4 bits"), (SampleTIFF(bits: [32], photometric: 1), "of 32 bits"),
        (SampleTIFF(bits: [8, 8], photometric: 2), "2 samples as rgb"),
        (SampleTIFF(bits: [8, 8, 8, 8, 8]), "5 samples as rgb"), (SampleTIFF(changes: [277: [9]]), "9 samples"),
        (SampleTIFF(bits: [8, 8], photometric: 3), "palette"), (SampleTIFF(bits: [8, 8], photometric: 0), "inverted"),
        (SampleTIFF(bits: [12], photometric: 0), "inverted"),
        (SampleTIFF(bits: [12], photometric: 1, compression: 8), "12 bits, Deflate"),
        (SampleTIFF(bits: [8, 8, 8, 8], photometric: 5, changes: [332: [2]]), "other inks"),
        (SampleTIFF(changes: [266: [2]]), "fill order 2"),
        (SampleTIFF(compression: 8, changes: [317: [3]]), "predictor 3"),
        (SampleTIFF(changes: [317: [2]]), "predictor 2"),
        (SampleTIFF(bits: [4], photometric: 1, compression: 5, changes: [317: [2]]), "predictor 2 of 4 bits"),
    ]

    @Test(arguments: refused.indices)
    func `what is not decoded rightly is refused by name`(_ index: Int) {
        let (sample, name) = Self.refused[index]
        #expect {
            try TIFFHeader(file: sample.bytes)
        } throws: { error in
            guard case .unsupported(let part) = error as? MediaHeaderError else { return false }
            return part.contains(name)
        }
    }

    @Test func `tiles are found, plane by plane`() throws {
        let bytes = SampleFile.fixture("../corners/tiff-tiles-rgb-planes.tif")
        let header = try TIFFHeader(file: bytes)
        let parts = header.parts
        #expect(
            parts.isTiled && [parts.width, parts.height, parts.columns, parts.rows, parts.count] == [48, 32, 3, 3, 27])
        #expect(parts.ranges.count == 27 && parts.ranges.allSatisfy { $0.upperBound <= bytes.count })
        #expect(header.isComplete && header.decodedBytes == 144 * 96 * 3)
    }

    @Test func `YCbCr says its sampling, its coefficients and its black and white`() throws {
        let luma = try #require(try TIFFHeader(file: SampleFile.fixture("../corners/tiff-ycbcr-709.tif")).samples.luma)
        #expect(luma.across == 2 && luma.down == 2 && luma.coefficients == [0.2126, 0.7152, 0.0722])
        #expect(luma.blackAndWhite == [16, 235, 128, 240, 128, 240])
        let plain = try #require(try TIFFHeader(file: SampleTIFF(photometric: 6).bytes).samples.luma)
        #expect(plain.across == 2 && plain.coefficients == [0.299, 0.587, 0.114] && plain.blackAndWhite[2] == 128)
    }

    @Test func `BigTIFF and the old LZW are refused by name`() {
        var sample = SampleTIFF(compression: 5)
        sample.strips[1].replaceSubrange(0..<2, with: [0, 1])
        #expect(throws: MediaHeaderError.unsupported("TIFF of LZW from before TIFF 6")) {
            try TIFFHeader(file: sample.bytes)
        }
        sample.version = 43
        #expect(throws: MediaHeaderError.unsupported("BigTIFF")) { try TIFFHeader(file: sample.bytes) }
    }

    static let broken: [SampleTIFF] = [
        SampleTIFF(changes: [256: []]), SampleTIFF(changes: [257: [0]]), SampleTIFF(changes: [256: [0x8000_0000]]),
        SampleTIFF(changes: [256: [4, 4]]), SampleTIFF(changes: [262: []]), SampleTIFF(changes: [273: []]),
        SampleTIFF(changes: [279: []]), SampleTIFF(changes: [278: [1]]), SampleTIFF(changes: [279: [72]]),
        SampleTIFF(changes: [273: [0, 8]]), SampleTIFF(changes: [273: [8, 8], 279: [400, 400]]),
        SampleTIFF(changes: [277: [4]]), SampleTIFF(bits: [8], photometric: 3),
        SampleTIFF(bits: [8], photometric: 3, changes: [320: [1, 2, 3]]),
        SampleTIFF(bits: [8], photometric: 1, changes: [320: [Int](repeating: 0, count: 768)]),
        SampleTIFF(changes: [322: [16], 323: [16]]), SampleTIFF(changes: [324: [16]]),
        SampleTIFF(changes: [322: [8], 323: [16], 324: [8], 325: [72]]),
        SampleTIFF(photometric: 6, changes: [529: [1, 1, 1]]), SampleTIFF(photometric: 6, changes: [532: [0]]),
        SampleTIFF(bits: [8], photometric: 1, compression: 4), SampleTIFF(changes: [258: [8, 8, 8, 8, 8, 8]]),
    ]

    @Test(arguments: broken.indices)
    func `headers that contradict themselves are malformed`(_ index: Int) {
        #expect {
            try TIFFHeader(file: Self.broken[index].bytes)
        } throws: { error in
            guard case .malformed = error as? MediaHeaderError else { return false }
            return true
        }
    }

    @Test func `entries out of their order, or twice, are malformed, byte counts late are not`() throws {
        var sample = SampleTIFF()
        sample.order = sample.entries.keys.sorted(by: >)
        #expect(throws: MediaHeaderError.malformed("TIFF directory: tag 278 behind 278")) {
            var twice = SampleTIFF()
            twice.order = [256, 257, 258, 259, 262, 273, 277, 278, 278, 279]
            _ = try TIFFHeader(file: twice.bytes)
        }
        #expect(throws: MediaHeaderError.malformed("TIFF directory: tag 277 behind 278")) {
            _ = try TIFFHeader(file: sample.bytes)
        }
        sample.order = [256, 257, 258, 259, 262, 273, 279, 277, 278]
        #expect(try TIFFHeader(file: sample.bytes).isComplete)
    }

    @Test func `a directory outside the file is truncated, one of too many entries excessive`() {
        for offset in [0x7FFF_FFFF, 0xFFFF_FFFF, 4, 100_000] {
            var sample = SampleTIFF()
            sample.directoryOffset = offset
            #expect(throws: MediaHeaderError.truncated("the TIFF, before its directory")) {
                try TIFFHeader(file: sample.bytes)
            }
        }
        var sample = SampleTIFF()
        sample.declaredEntries = 513
        #expect(throws: MediaHeaderError.excessive("TIFF directory entries")) { try TIFFHeader(file: sample.bytes) }
    }

    @Test func `counts and sizes beyond all numbers do not overflow`() throws {
        let sides = [256: [0x7FFF_FFFF], 257: [0x7FFF_FFFF], 278: [0x7FFF_FFFF], 273: [8], 279: [72]]
        let header = try TIFFHeader(file: SampleTIFF(bits: [16, 16, 16, 16], changes: sides).bytes)
        #expect(header.decodedBytes == .max && !header.isComplete)
        let bytes = SampleTIFF().bytes
        // Each count in its turn, and each value.
        for entry in 0..<9 {
            for field in [4, 8] {
                var hostile = bytes
                let at = 8 + 72 + 2 + 12 * entry + field
                hostile.replaceSubrange(at..<at + 4, with: [255, 255, 255, 255])
                _ = try? TIFFHeader(file: hostile)
            }
        }
    }

    @Test(arguments: ["photo-small.jpg", "icon.ico", "empty.jpg"])
    func `other formats are refused`(_ name: String) {
        #expect(throws: MediaHeaderError.wrongFormat) { try TIFFHeader(file: SampleFile.fixture(name)) }
    }
}
