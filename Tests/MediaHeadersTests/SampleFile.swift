import Glibc

/// The small files that are made in code, and the fixtures of the repository.
enum SampleFile {
    /// Returns the bytes of a fixture; empty if it is missing. A test that needs a missing fixture fails on the header.
    static func fixture(_ name: String) -> [UInt8] {
        let directory = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        guard let file = fopen("/\(directory)/fixtures/media/\(name)", "rb") else { return [] }
        defer { fclose(file) }
        fseek(file, 0, SEEK_END)
        var bytes = [UInt8](repeating: 0, count: ftell(file))
        rewind(file)
        let count = fread(&bytes, 1, bytes.count, file)
        return Array(bytes.prefix(count))
    }

    static func jpegSegment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
        [0xFF, marker, UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 255)] + body
    }

    static func exif(orientation: UInt8, littleEndian: Bool = true) -> [UInt8] {
        littleEndian
            ? Array("II".utf8) + [
                42, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0,
            ]
            : Array("MM".utf8) + [
                0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0,
            ]
    }

    /// Returns the markers of a JPEG of 48 × 32 around a scan that no test decodes.
    static func jpeg(extra: [UInt8] = [], closed: Bool = true) -> [UInt8] {
        [0xFF, 0xD8] + jpegSegment(0xE0, Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0]) + extra
            + jpegSegment(0xC0, [8, 0, 32, 0, 48, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1])
            + jpegSegment(0xDA, [3, 1, 0, 2, 0x11, 3, 0x11, 0, 63, 0]) + [0x12, 0xFF, 0x00, 0x34, 0xFF, 0xD0, 0x56]
            + (closed ? [0xFF, 0xD9] : [])
    }

    static func pngChunk(_ type: String, _ body: [UInt8]) -> [UInt8] {
        let named = Array(type.utf8) + body
        return big(body.count) + named + big(Int(checksum(named)))
    }

    private static func big(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { (shift: Int) -> UInt8 in UInt8(truncatingIfNeeded: number >> shift) }
    }

    /// Returns the checksum of a chunk (PNG, annex D).
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xEDB8_8320 }
        }
        return ~sum
    }

    static func png(extra: [UInt8] = []) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + pngChunk("IHDR", [0, 0, 0, 7, 0, 0, 0, 5, 8, 6, 0, 0, 0]) + extra + pngChunk("IDAT", [1, 2, 3])
            + pngChunk("IEND", [])
    }

    /// Returns a GIF with two images of 2 × 1, a loop, a comment and an unknown application block.
    static func gif() -> [UInt8] {
        let control: [UInt8] = [0x21, 0xF9, 4, 1, 7, 0, 0, 0]
        let image: [UInt8] = [0x2C, 0, 0, 0, 0, 2, 0, 1, 0, 0, 2, 2, 0x44, 0x01, 0]
        return Array("GIF89a".utf8) + [2, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
            + [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
            + [0x21, 0xFE, 3] + Array("who".utf8) + [0]
            + [0x21, 0xFF, 11] + Array("XMP DataXMP".utf8) + [1, 65, 0]
            + control + image + control + image + [0x3B]
    }

    static func riff(_ chunks: [(String, [UInt8])]) -> [UInt8] {
        var body = Array("WEBP".utf8)
        for (type, data) in chunks {
            body += Array(type.utf8)
            body += littleEndian32(data.count)
            body += data
            if data.count % 2 == 1 { body.append(0) }
        }
        return Array("RIFF".utf8) + littleEndian32(body.count) + body
    }

    private static func littleEndian32(_ value: Int) -> [UInt8] {
        [UInt8(value & 255), UInt8(value >> 8 & 255), UInt8(value >> 16 & 255), UInt8(value >> 24 & 255)]
    }
}
