import Base
import Testing

@testable import MediaHeaders

/// Tests of the error texts for files of which no rendition is made.
@Suite struct RefusalWordsTests {
    private static let filling = [UInt8](repeating: 0x20, count: 600)

    @Test(
        arguments: [
            (Array("icns\0\0\u{1}\0".utf8), "ICNS"), (Array("%!PS-Adobe-3.0 EPSF-3.0".utf8), "PostScript"),
            ([0xC5, 0xD0, 0xD3, 0xC6, 0x20], "PostScript"), (Array("qoif\0\0".utf8), "QOI"),
            (Array("P6\n640 480".utf8), "Netpbm"),
            (Array("P3 2 2 255".utf8), "Netpbm"), ([0x0A, 0x05, 0x01, 0x08], "PCX"),
            (Array("#!AMR_MC1.0\n".utf8), "AMR"),
            (Array(".RMF\0\0".utf8), "RealMedia"), (Array("MThd\0\0".utf8), "MIDI"),
            (Array("#!SILK_V3".utf8), "SILK"), (Array("\u{2}#!SILK_V3".utf8), "SILK"), (Array("MAC ".utf8), "Monkey"),
            (Array("wvpk".utf8), "WavPack"), (Array("TTA1".utf8), "True Audio"), (Array("MPCK".utf8), "Musepack"),
            (Array("Creative Voice File\u{1A}".utf8), "VOC"), (Array("RIFF....QLCM".utf8), "QCELP"),
            (Array("CWS\u{9}".utf8), "SWF"), (Array("CWS is a text".utf8), "no known media type"),
            ([0x0B, 0x77, 0x8B], "AC-3"), ([0x7F, 0xFE, 0x80, 0x01], "DTS"), ([0x06, 0x0E, 0x2B, 0x34], "MXF"),
            ([0, 0, 0, 1, 0x67, 0x42], "H.264"), ([0, 0, 0, 1, 0x40, 1], "HEVC"),
            ([0, 0, 0, 1, 0], "no known media type"),
            ([0, 0, 1, 0xB3, 0x16], "MPEG video stream"), (Array("{\"error\": 1}".utf8), "JSON"),
            (Array(" \n[1, 2]".utf8), "JSON"), (Array("data:image/png;base64,AAAA".utf8), "data URL"),
            (Array(String(repeating: "iVBORw0KGgoAAAANSUhEUg", count: 30).utf8), "Base64"),
            ([0x0A, 0xFF, 0xD8, 0xFF, 0xE0], "JPEG after 1 other byte"),
            ([0xEF, 0xBB, 0xBF, 0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "PNG after 3 other bytes"),
            (Array("%PDF-1.7".utf8), "PDF"), (Array("<!DOCTYPE html>".utf8), "HTML"),
            ([1, 2, 3, 4], "no known media type"),
            ([], "no known media type"), (Array("Not found".utf8), "no known media type"),
        ] as [([UInt8], String)])
    func `a refusal names the format of the first bytes`(_ head: [UInt8], _ word: String) {
        let bytes = head + (word == "Base64" || head.isEmpty ? [] : Self.filling)
        let start = Array(bytes.prefix(512))
        let words = MediaSignature.refusal(of: start.span, declaredType: "image/png")
        #expect(words.contains(word), "\(words)")
        #expect(words.hasSuffix(", declared as image/png"))
    }

    @Test func `a long content type is cut in a refusal`() {
        let head: [UInt8] = [1]
        let words = MediaSignature.refusal(of: head.span, declaredType: String(repeating: "a", count: 500))
        #expect(words.count < 160)
    }

    @Test func `a BMP with a hot spot is recognized, and text that begins with BM is not recognized as a BMP`() {
        var bitmap: [UInt8] = Array("BM".utf8) + [0, 1, 0, 0, 0x26, 0, 0x24, 0, 54, 0, 0, 0, 40, 0, 0, 0]
        bitmap += [2, 0, 0, 0, 2, 0, 0, 0, 1, 0, 24, 0]
        #expect(MediaSignature.of(bitmap.span) == .bmp)
        let text = Array("BMW is a maker of cars, and of motorcycles".utf8)
        #expect(MediaSignature.of(text.span) == nil)
        bitmap[14] = 41
        #expect(MediaSignature.of(bitmap.span) == nil)
    }

    @Test(
        arguments: [
            ([], nil), (Array("ID3".utf8), nil), (Array("ID3\u{3}\0\0\0\0\0\u{5}".utf8), 15),
            (Array("ID3\u{4}\0".utf8) + [0x10, 0, 0, 1, 0], 148), (Array("ID3\u{4}\0\0\0\0".utf8) + [0x80, 0], nil),
            (Array("ID3\u{4}\0\0".utf8) + [0x7F, 0x7F, 0x7F, 0x7F], 268_435_465),
        ] as [([UInt8], Int?)])
    func `the length of an ID3 tag is read from the header of the tag`(_ head: [UInt8], _ length: Int?) {
        #expect(ID3Tag.byteCount(of: head.span) == length)
    }
}
