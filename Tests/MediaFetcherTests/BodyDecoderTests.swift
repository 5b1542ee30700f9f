import TestSupport
import Testing

@testable import MediaFetcher

/// Tests of bodies in gzip and zlib that are cut. Each block has fixed Huffman codes, in which zeros are the end of a block
/// (RFC 1951 §3.2.6).
@Suite struct BodyDecoderTests {
    /// Bits in the order of Deflate: from the lowest bit of each byte.
    private struct Bits {
        var bytes: [UInt8] = []
        private var count = 0

        mutating func append(_ bit: Int) {
            if count.isMultiple(of: 8) { bytes.append(0) }
            bytes[bytes.count - 1] |= UInt8(bit) << UInt8(count % 8)
            count += 1
        }

        /// Appends a Huffman code from its highest bit.
        mutating func append(code: Int, bits: Int) {
            for index in stride(from: bits - 1, through: 0, by: -1) { append(code >> index & 1) }
        }
    }

    /// Returns one final block with fixed codes.
    private static func block(of text: [UInt8]) -> [UInt8] {
        var bits = Bits()
        for bit in [1, 1, 0] { bits.append(bit) }
        for byte in text {
            if byte < 144 {
                bits.append(code: 0x30 + Int(byte), bits: 8)
            } else {
                bits.append(code: 0x190 + Int(byte) - 144, bits: 9)
            }
        }
        bits.append(code: 0, bits: 7)
        return bits.bytes
    }

    private static let text = (0..<600).map { UInt8(truncatingIfNeeded: $0 * 37 % 256) }
    private static let deflated = block(of: text)
    private static let headers: [(coding: BodyDecoder.Coding, bytes: [UInt8])] = [
        (.gzip, [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]), (.deflate, [0x78, 0x01]),
    ]

    private static func isWithoutTrailer(_ coding: BodyDecoder.Coding, _ body: [UInt8]) throws -> Bool {
        let decoder = BodyDecoder(coding)
        _ = try body.withUnsafeBytes { try decoder.decode($0) { _ in .proceed } }
        return !decoder.isWhole && decoder.noteMissingTrailer()
    }

    @Test func `only a body whose last block has ended lacks its trailer`() throws {
        for (coding, header) in Self.headers {
            for count in 1..<Self.deflated.count {
                #expect(try !Self.isWithoutTrailer(coding, header + Self.deflated[..<count]), "\(coding) \(count)")
            }
            #expect(try Self.isWithoutTrailer(coding, header + Self.deflated), "\(coding)")
        }
    }

    @Test func `raw Deflate has no trailer`() throws {
        for count in 1..<Self.deflated.count {
            #expect(try !Self.isWithoutTrailer(.deflate, Array(Self.deflated[..<count])))
        }
    }
}
