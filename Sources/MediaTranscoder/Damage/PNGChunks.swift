import CZlib
import MediaHeaders

/// The chunks of a damaged PNG that a decoder needs.
struct PNGChunks {
    let isInterlaced: Bool
    let pixelBits: Int
    /// The header chunk, and the chunks before the data that have the right checksum.
    private var intact: [Range<Int>] = []
    /// The ranges of compressed data in the IDAT chunks, as far as the file has them.
    private(set) var data: [Range<Int>] = []

    /// Finds the chunks of a PNG.
    ///
    /// - Throws: `malformed` if the header chunk is missing, or if its fields or its checksum are wrong.
    init(_ bytes: Span<UInt8>) throws(MediaHeaderError) {
        var (intact, data): ([Range<Int>], [Range<Int>]) = ([], [])
        var offset = 8
        while let length = bytes.bigEndian32(at: offset), let type = bytes.code(at: offset + 4), type != "IEND" {
            let end = offset + 12 + length
            if type == "IDAT" {
                data.append(offset + 8..<max(offset + 8, min(end - 4, bytes.count)))
            } else if end <= bytes.count, data.isEmpty, Self.isNeeded(type, length),
                bytes.bigEndian32(at: end - 4) == Self.checksum(of: bytes.extracting(offset + 4..<end - 4))
            {
                intact.append(offset..<end)
            }
            guard end <= bytes.count else { break }
            offset = end
        }
        guard let header = intact.first, header == 8..<33, let depth = bytes.byte(at: 24),
            let type = bytes.byte(at: 25).flatMap(PNGHeader.ColorType.init(rawValue:)),
            let interlacing = bytes.byte(at: 28), interlacing <= 1
        else { throw .malformed("PNG header chunk") }
        isInterlaced = interlacing == 1
        pixelBits = Int(depth) * type.samples
        (self.intact, self.data) = (intact, data)
    }

    private static func isNeeded(_ type: FourCharacterCode, _ length: Int) -> Bool {
        switch type {
        case "IHDR", "PLTE", "tRNS", "gAMA", "cHRM", "sRGB", "sBIT": true
        case "iCCP": length <= PNGHeader.mostProfileBytes
        default: false
        }
    }

    /// Returns a PNG with the first `dataBytes` bytes of compressed data and with an end chunk.
    func png(of bytes: Span<UInt8>, dataBytes: Int) -> [UInt8] {
        var png = bytes.copy(0..<8)
        for range in intact { png += bytes.copy(range) }
        var chunk = Array("IDAT".utf8)
        chunk.reserveCapacity(4 + dataBytes)
        for range in data {
            chunk += bytes.copy(range.prefix(dataBytes + 4 - chunk.count))
        }
        png += Self.bigEndian(chunk.count - 4) + chunk + Self.bigEndian(Self.checksum(of: chunk.span))
        let end = Array("IEND".utf8)
        return png + Self.bigEndian(0) + end + Self.bigEndian(Self.checksum(of: end.span))
    }

    /// Returns the CRC of the bytes (PNG, annex D).
    private static func checksum(of bytes: Span<UInt8>) -> Int {
        Int(unsafe bytes.withUnsafeBufferPointer { unsafe crc32(0, $0.baseAddress, UInt32(clamping: $0.count)) })
    }

    private static func bigEndian(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
