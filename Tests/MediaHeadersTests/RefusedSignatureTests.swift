import Base
import MediaHeaders
import TestSupport
import Testing

/// Tests of files that arrive in place of an image and cannot be shown. The files have a signature, so that the reason
/// names their format.
@Suite struct RefusedSignatureTests {
    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    static let table: [(bytes: [UInt8], expected: MediaFormat?)] = [
        ([0, 0, 0, 12] + bytes("jP  ") + [0x0D, 0x0A, 0x87, 0x0A], .jpeg2000),
        ([0xFF, 0x4F, 0xFF, 0x51, 0], .jpeg2000),
        ([0, 0, 0, 12] + bytes("JXL ") + [0x0D, 0x0A, 0x87, 0x0A], .jpegXL), ([0xFF, 0x0A, 0xFA], .jpegXL),
        ([0, 0, 0, 12] + bytes("????") + [0x0D, 0x0A, 0x87, 0x0A], nil), ([0, 0, 0, 12] + bytes("jP  "), nil),
        (bytes("8BPS") + [0, 1], .psd), (bytes("8BPS") + [0, 2], .psd), (bytes("8BPS") + [0, 3], nil),
        (bytes("FUJIFILMCCD-RAW 0201"), .cameraRaw), (bytes("IIRO") + [8, 0, 0, 0], .cameraRaw),
        (bytes("IIRS"), .cameraRaw), (bytes("MMOR"), .cameraRaw), (bytes("IIU\0"), .cameraRaw),
        (bytes("FOVb"), .cameraRaw), (bytes("\0MRM"), .cameraRaw),
        (bytes("II") + [0x1A, 0, 0, 0] + bytes("HEAPCCDR"), .cameraRaw),
        (bytes("II*\0") + [16, 0, 0, 0] + bytes("CR") + [2, 0], .cameraRaw),
        ([0, 0, 0, 24] + bytes("ftypcrx ") + [0, 0, 0, 1] + bytes("crx isom"), .cameraRaw),
        (bytes("II+\0") + [8, 0, 0, 0], .tiff), (bytes("MM\0+") + [0, 8, 0, 0], .tiff), (bytes("II+\0"), nil),
        ([0, 0, 2, 0, 1, 0, 16, 16, 0, 0], .ico),
        // The bytes are an uncompressed TGA.
        ([0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 64, 0, 64, 0, 24, 0], nil),
        (bytes("[playlist]\nFile1=http://a"), .playlist), (bytes("[PLAYLIST]"), .playlist),
        (bytes("#EXTM3U"), .playlist), (bytes("\u{FEFF}#EXTM3U"), .playlist), (bytes("#EXTINF:1,a"), nil),
        (bytes("<asx version=\"3.0\">"), .playlist), (bytes("<ASX>"), .playlist), (bytes("<smil>"), .playlist),
        (bytes("<?wpl version=\"1.0\"?>"), .playlist), (bytes("<?xml version=\"1.0\"?><playlist>"), .playlist),
        (bytes("<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code>"), .xml), (bytes("<?XML ?>"), .xml),
        (bytes("<?xml version=\"1.0\"?><html>"), .html), (bytes("<Error>"), nil), (bytes("<!-- only -->"), nil),
        (bytes("<!DOCTYPE svg PUBLIC><svg>"), .svg), (bytes("%PDF-2.0"), .pdf),
    ]

    @Test(arguments: table.indices)
    func `the format of a refused file is detected from its first bytes`(_ index: Int) {
        let (bytes, expected) = Self.table[index]
        #expect(MediaSignature.of(file: bytes) == expected)
    }

    @Test(arguments: [true, false])
    func `a raw file in TIFF format is recognized by its first directory`(_ isLittleEndian: Bool) {
        func signature(_ changes: [Int: [Int]]) -> MediaFormat? {
            var sample = SampleTIFF(changes: changes)
            sample.isLittleEndian = isLittleEndian
            return MediaSignature.of(file: sample.bytes)
        }
        #expect(signature([:]) == .tiff)
        #expect(signature([254: [1], 330: [8]]) == .cameraRaw)
        #expect(signature([254: [1]]) == .tiff)
        #expect(signature([254: [0], 330: [8]]) == .tiff)
        #expect(signature([33_422: [0, 1]]) == .cameraRaw)
        #expect(signature([50_706: [1]]) == .cameraRaw)
    }

    @Test func `each refused format has a label, and only refused image formats have a media class`() {
        #expect([MediaFormat.jpeg2000, .jpegXL, .psd, .cameraRaw].allSatisfy { $0.sampledKind == .image })
        #expect([MediaFormat.xml, .playlist, .pdf].allSatisfy { $0.sampledKind == nil })
        #expect(MediaFormat.cameraRaw.phrase == "a camera's raw file")
        #expect(MediaFormat.xml.phrase == "an XML document")
    }
}
