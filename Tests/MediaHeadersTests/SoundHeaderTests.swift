import MediaHeaders
import Testing

/// Tests of the headers of audio files, which are read before a demuxer reads the file.
@Suite struct SoundHeaderTests {
    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private static func big(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * (count - 1 - $0))) }
    }

    private static func chunk(_ name: String, _ body: [UInt8], length: Int? = nil) -> [UInt8] {
        bytes(name) + big(length ?? body.count, 8) + body
    }

    private static let start = bytes("caff") + [0, 1, 0, 0] + chunk("desc", [UInt8](repeating: 0, count: 32))

    @Test(arguments: [(0, true), (500_000, true), (500_001, false), (.max, false), (-1, true), (.min, true)])
    func `a CAF with more packets than a demuxer can hold is refused`(_ packets: Int, _ isTaken: Bool) {
        let bytes = Self.start + Self.chunk("pakt", Self.big(packets, 8) + [UInt8](repeating: 0, count: 16))
        if isTaken {
            #expect(throws: Never.self) { try CAFHeader(bytes.span) }
        } else {
            #expect(throws: MediaHeaderError.excessive("CAF packets")) { try CAFHeader(bytes.span) }
        }
    }

    @Test func `the packets in all tables of a CAF are added up`() throws {
        let table = Self.chunk("pakt", Self.big(300_000, 8))
        #expect(try CAFHeader((Self.start + table).span).packetCount == 300_000)
        #expect(throws: MediaHeaderError.self) { try CAFHeader((Self.start + table + table).span) }
    }

    @Test func `a CAF with a length of -1 has an unknown length`() throws {
        let sound: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
        #expect(try CAFHeader((Self.start + Self.chunk("data", sound, length: -1)).span).isLengthUnknown)
        for length in [8, 0, 100, .max, -2] {
            #expect(try !CAFHeader((Self.start + Self.chunk("data", sound, length: length)).span).isLengthUnknown)
        }
        #expect(throws: MediaHeaderError.wrongFormat) { try CAFHeader(Self.bytes("cafe").span) }
    }

    /// Returns a header object of Windows Media with two inner objects, of which the second has this kind.
    private static func windowsMedia(_ kind: [UInt8], length: UInt8 = 24) -> [UInt8] {
        let header: [UInt8] = [
            0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0, 0xAA, 0, 0x62, 0xCE, 0x6C,
        ]
        let object: [UInt8] = [length, 0, 0, 0, 0, 0, 0, 0]
        let other = [0xA1, 0xDC, 0xAB, 0x8C] + [UInt8](repeating: 1, count: 12) + object
        return header + [0x4E, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 1, 2] + other + kind
            + [UInt8](repeating: 2, count: 12) + object
    }

    @Test(arguments: [[0xFB, 0xB3, 0x11, 0x22], [0x14, 0xE6, 0x8A, 0x29], [0x33, 0x85, 0x05, 0x43]] as [[UInt8]])
    func `encrypted Windows Media is refused`(_ kind: [UInt8]) {
        #expect(throws: MediaHeaderError.unsupported("encrypted Windows Media")) {
            try ASFHeader.check(Self.windowsMedia(kind).span)
        }
        #expect(throws: Never.self) { try ASFHeader.check(Self.windowsMedia(kind, length: 0).span) }
        #expect(throws: Never.self) { try ASFHeader.check(Self.windowsMedia([1, 2, 3, 4]).span) }
    }

    @Test(arguments: [(8, true), (0, true), (9, false), (0xFFFF_FFFF, true), (0xFFFF_FFFE, false)])
    func `an AU file that is shorter than its header states is truncated`(_ length: Int, _ isWhole: Bool) {
        let head = Self.bytes(".snd") + Self.big(24, 4) + Self.big(length, 4) + [0, 0, 0, 3, 0, 0, 31, 64, 0, 0, 0, 1]
        let bytes = head + [UInt8](repeating: 0, count: 8)
        if isWhole {
            #expect(throws: Never.self) { try AUHeader.check(bytes.span) }
        } else {
            #expect(throws: MediaHeaderError.truncated("the samples")) { try AUHeader.check(bytes.span) }
        }
    }
}
