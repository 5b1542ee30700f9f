import Testing

@testable import Lab

struct BombTests {
    @Test func `the gzip bomb has about a megabyte and declares a gigabyte of zeros`() {
        let bomb = Bomb.gzip.content
        #expect(bomb.count < 1_050_000)
        #expect(bomb.prefix(3) == [0x1F, 0x8B, 8])
        // The suffix is zlib's CRC-32 of 2^30 zeros, followed by 2^30, both little-endian.
        #expect(bomb.suffix(8) == [0xB0, 0xC2, 0x64, 0x5B, 0, 0, 0, 0x40])
    }

    /// Python's `gzip.decompress` returns 1000 zeros for these bytes.
    @Test func `a small gzip bomb equals the expected gzip member`() {
        let member = Bomb.gzipMember(inflatingTo: 1000)
        #expect(Self.hexadecimal(member) == Self.member)
    }

    /// libbrotli decodes these bytes to 32 MiB of zeros, and libzstd to 256 KiB.
    @Test func `small brotli and zstd bombs are complete streams`() {
        #expect(
            Self.hexadecimal(BrotliZeros.stream(blocks: 2)) == "cfffff7f002000e2b18072effff1ffff1f000880782ca0dcfb7f03")
        #expect(Self.hexadecimal(Bomb.zstdFrame(blocks: 2)) == "28b52ffd00880200100003001000")
    }

    @Test func `the brotli bomb has 817 bytes, and the zstd bomb has 32 KiB`() {
        #expect(Bomb.br.content.count == 817)
        #expect(Bomb.zstd.content.count == 6 + 4 * 8_192)
    }

    /// FFmpeg decodes these bytes to 16 by 16 pixels, and zlib confirms each checksum.
    @Test func `a small image is a valid PNG`() {
        #expect(Self.hexadecimal(Bomb.transparentPNG(side: 16)) == Self.image)
    }

    @Test func `the PNG bomb has almost a megabyte`() {
        #expect((990_000..<1_000_000).contains(Bomb.png.content.count))
    }

    private static let member =
        "1f8b08000000000000ffedc0810000000080a0fda917a9aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
        + "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa020680170b06e8030000"
    private static let image =
        "89504e470d0a1a0a0000000d49484452000000100000001008060000001ff3ff61000000174944415478daedc0810000"
        + "000080a0fda917a9aa2a800104100001594fe10e0000000049454e44ae426082"

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
