/// A writer of PNGs with any chunks.
struct SamplePNG {
    var width = 40
    var height = 32
    var bitDepth: UInt8 = 8
    /// The color type: 2 is RGB, and 6 is RGB with alpha.
    var colorType: UInt8 = 2
    /// The chunks between the header and the pixels.
    var chunks: [(type: String, body: [UInt8])] = []
    /// Returns the red, green, blue and alpha of a pixel.
    var pixel: (_ x: Int, _ y: Int) -> [Int] = { _, _ in [0, 0, 0, 255] }

    var bytes: [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + Self.chunk(
                "IHDR", Self.big(width) + Self.big(height) + [bitDepth, colorType, 0, 0, 0])
            + chunks.flatMap { Self.chunk($0.type, $0.body) }
            + Self.chunk("IDAT", data) + Self.chunk("IEND", [])
    }

    /// The pixels as compressed data for IDAT and fdAT chunks.
    var data: [UInt8] {
        var rows: [UInt8] = []
        for y in 0..<height {
            rows.append(0)
            for x in 0..<width {
                for sample in pixel(x, y).prefix(colorType == 6 ? 4 : 3) {
                    rows += bitDepth == 16 ? [UInt8(sample >> 8), UInt8(sample & 255)] : [UInt8(sample)]
                }
            }
        }
        return Self.stored(rows)
    }

    static func chunk(_ type: String, _ body: [UInt8]) -> [UInt8] {
        let named = Array(type.utf8) + body
        return big(body.count) + named + big(Int(checksum(named)))
    }

    static func big(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { (shift: Int) -> UInt8 in UInt8(truncatingIfNeeded: number >> shift) }
    }

    /// Returns the bytes in stored blocks of the zlib format (RFC 1950; RFC 1951, 3.2.4).
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        for start in stride(from: 0, to: bytes.count, by: 65_535) {
            let block = bytes[start..<min(start + 65_535, bytes.count)]
            let (low, high) = (UInt8(block.count & 255), UInt8(block.count >> 8))
            stream += [start + 65_535 >= bytes.count ? 1 : 0, low, high, ~low, ~high] + block
        }
        var (low, high) = (1, 0)
        for byte in bytes { (low, high) = ((low + Int(byte)) % 65_521, (high + low + Int(byte)) % 65_521) }
        return stream + big(high << 16 | low)
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xEDB8_8320 }
        }
        return ~sum
    }
}
