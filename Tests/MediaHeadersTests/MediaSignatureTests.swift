import Base
import MediaHeaders
import TestSupport
import Testing

@Suite struct MediaSignatureTests {
    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private static func ftyp(_ major: String, _ compatible: String...) -> [UInt8] {
        [0, 0, 0, UInt8(16 + 4 * compatible.count)] + bytes("ftyp" + major) + [0, 0, 0, 0]
            + compatible.flatMap { bytes($0) }
    }

    static let table: [(bytes: [UInt8], expected: MediaFormat?)] = [
        ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg),
        ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png),
        (bytes("GIF89a...."), .gif), (bytes("GIF87a...."), .gif), (bytes("GIF88a"), nil),
        (bytes("RIFF....WEBPVP8 "), .webp), (bytes("RIFF....WAVEfmt "), .wav), (bytes("RIFF....AVI LIST"), .avi),
        (bytes("RIFF....ACON"), nil),
        (ftyp("mp42", "isom"), .mp4), (ftyp("isom"), .mp4), (ftyp("avc1"), .mp4), (ftyp("M4V "), .mp4),
        (ftyp("qt  "), .quickTime), (ftyp("M4A ", "mp42"), .m4a), (ftyp("heic"), .heic), (ftyp("heix"), .heic),
        (ftyp("mif1", "heic"), .heic), (ftyp("mif1", "avif"), .avif), (ftyp("msf1", "hevc"), .heic),
        (ftyp("avif"), .avif), (ftyp("avis"), .avif), (ftyp("XXXX", "isom"), .mp4), (ftyp("XXXX"), .mp4),
        (ftyp("mif1", "miaf", "MA1B"), .avif), (ftyp("mif1", "miaf", "MiHB"), .heic), (ftyp("miaf", "MA1A"), .avif),
        (ftyp("miaf", "heic"), .heic), (ftyp("mif1", "mif1", "miaf"), .heic), (ftyp("msf1", "avis", "mif1"), .avif),
        (ftyp("avio", "avif"), .avif), (ftyp("hevc", "isom"), .heic), (ftyp("heis"), .heic), (ftyp("hevx"), .heic),
        (ftyp("avci", "mif1"), .heic), (ftyp("isom", "avif", "mif1"), .mp4), (ftyp("qt  ", "heic"), .quickTime),
        ([0, 0, 0, 16] + bytes("ftypmif3avif"), .avif), ([0, 0, 0, 16] + bytes("ftypmif3heic"), .heic),
        ([0, 0, 0, 8] + bytes("wide") + [0, 0, 1, 0] + bytes("mdat"), .quickTime),
        ([0x1A, 0x45, 0xDF, 0xA3, 0x42, 0x82, 0x84] + bytes("webm"), .webm),
        ([0x1A, 0x45, 0xDF, 0xA3, 0x42, 0x82, 0x88] + bytes("matroska"), .matroska),
        ([0, 0, 1, 0xBA, 0x44], .mpegPS), (bytes("OggS"), .ogg), (bytes("fLaC"), .flac),
        (bytes("RF64....WAVEds64"), .wav), (bytes("BW64....WAVEds64"), .wav), (bytes("RF64....AVI "), nil),
        (bytes("#!AMR\n"), .amr), (bytes("#!AMR-WB\n"), .amr), (bytes("#!AMR_MC1.0\n"), nil), (bytes("#!AMR"), nil),
        (bytes("caff") + [0, 1, 0, 0], .caf), (bytes("caff") + [0, 2, 0, 0], nil), (bytes(".snd\0\0\0 "), .au),
        (bytes("FLV\u{1}\u{5}"), .flv), (bytes("FLV\u{2}\u{5}"), nil),
        ([0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11], .asf), ([0x30, 0x26, 0xB2, 0x75], nil),
        (bytes("riff") + [0x2E, 0x91, 0xCF, 0x11] + bytes("................wave"), .w64),
        (bytes("riff") + [0x2E, 0x91, 0xCF, 0x11], nil),
        (bytes("FORM....AIFF"), .aiff), (bytes("FORM....AIFC"), .aiff),
        (bytes("ID3\u{4}"), .mp3), ([0xFF, 0xFB, 0x90, 0x44], .mp3), ([0xFF, 0xFB, 0xFF, 0x44], nil),
        (bytes("BM") + [1, 2, 3, 4, 0, 0, 0, 0], .bmp), ([0x49, 0x49, 0x2A, 0], .tiff), ([0x4D, 0x4D, 0, 0x2A], .tiff),
        ([0, 0, 1, 0, 1, 0, 16, 16, 0, 0], .ico), (bytes("%PDF-1.7"), .pdf), (bytes("PK\u{3}\u{4}"), .zip),
        ([0x1F, 0x8B, 8], .gzip),
        (bytes("#EXTM3U\n#EXT-X-VERSION:3"), .playlist), (bytes("ffconcat version 1.0"), .playlist),
        (bytes("v=0\r\no=- 0 0 IN IP4 1.2.3.4"), .playlist),
        (bytes("<?xml version=\"1.0\"?><MPD xmlns=\"\">"), .playlist),
        (bytes(" \n<!DOCTYPE html>"), .html), (bytes("<HTML>"), .html), ([0xEF, 0xBB, 0xBF] + bytes("<html>"), .html),
        (bytes("<!-- hi --><html>"), .html), (bytes("<svg xmlns=\"\">"), .svg),
        (bytes("<?xml version=\"1.0\"?>\n<svg>"), .svg), (bytes("<?xml version=\"1.0\"?><rss>"), .xml),
        ([0xFF, 0xF1, 0x50, 0x80], .aac), ([], nil), (bytes("hello"), nil), ([0xFF], nil),
    ]

    @Test(arguments: table.indices)
    func `the format of a file is detected from its first bytes`(_ index: Int) {
        let (bytes, expected) = Self.table[index]
        #expect(MediaSignature.of(file: bytes) == expected)
    }

    @Test func `the tables of samples contain every format except the transport stream`() {
        let formats = (Self.table + RefusedSignatureTests.table).compactMap(\.expected)
        #expect(Set(formats).union([.mpegTS]) == Set(MediaFormat.allCases))
    }

    @Test(arguments: MediaFormat.allCases.filter { $0 != .ico })
    func `a file with a magic number and zeros has the format of the magic number`(_ format: MediaFormat) {
        for sample in format.magicSamples {
            #expect(MediaSignature.of(file: sample + [UInt8](repeating: 0, count: 500)) == format)
        }
    }

    @Test func `an MPEG transport stream is recognized by its repeated sync bytes`() {
        var stream = [UInt8](repeating: 0, count: 512)
        for offset in [0, 188, 376] { stream[offset] = 0x47 }
        #expect(MediaSignature.of(file: stream) == .mpegTS)
    }

    @Test(arguments: [
        ("photo-small.jpg", MediaFormat.jpeg), ("interlaced.png", .png), ("still.gif", .gif),
        ("picture.webp", .webp),
        ("video-silent.mp4", .mp4), ("not-a-picture.jpg", .html), ("ffconcat.mp4", .playlist), ("hls.mp4", .playlist),
    ])
    func `a file is recognized by its bytes, even if its name is wrong`(_ name: String, _ expected: MediaFormat) {
        #expect(MediaSignature.of(file: SampleFile.fixture(name)) == expected)
    }

    @Test(arguments: [("films/theora-vorbis.ogv", true), ("sounds/vorbis.ogg", false), ("sounds/opus.opus", false)])
    func `an Ogg file has a video if one of its streams is a video stream`(_ name: String, _ hasVideo: Bool) {
        let file = SampleFile.fixture("../\(name)")
        for length in [0, 5, 27, 35, MediaSignature.wantedBytes] {
            let head = Array(file.prefix(length))
            let found = MediaSignature.hasOggVideo(head.span)
            #expect(found == (hasVideo && length >= 35))
        }
    }

    @Test func `each media class has a signature, and a playlist, page or drawing has no class`() {
        #expect(Set(MediaFormat.allCases.compactMap(\.sampledKind)) == Set(MediaKind.allCases))
        #expect(MediaFormat.playlist.sampledKind == nil)
        #expect(MediaFormat.html.sampledKind == nil)
        #expect(MediaFormat.svg.sampledKind == nil)
        #expect(MediaFormat.html.phrase == "an HTML page")
    }
}
