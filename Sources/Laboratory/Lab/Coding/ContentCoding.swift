/// A content coding of a body. The encoders write uncompressed blocks only, which a decoder must support as well.
package enum ContentCoding: String, Sendable, Equatable, CaseIterable {
    case gzip
    case br
    case zstd

    /// Returns a complete stream of `bytes`, which are at most 2³²−1 bytes.
    package func encode(_ bytes: [UInt8]) -> [UInt8] {
        switch self {
        case .gzip: Self.gzipMember(bytes)
        case .br: Self.brotliStream(bytes)
        case .zstd: Self.zstdFrame(bytes)
        }
    }

    /// Returns one member (RFC 1952) of stored blocks (RFC 1951, section 3.2.4).
    private static func gzipMember(_ bytes: [UInt8]) -> [UInt8] {
        var member: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]  // deflate, no name, no time, unknown system
        for (block, isLast) in blocks(of: bytes, atMost: 0xFFFF) {
            let length = UInt16(block.count)
            member += [isLast ? 1 : 0] + length.littleEndianBytes + (~length).littleEndianBytes + block
        }
        var checksum = CRC32()
        checksum.feed(bytes)
        return member + checksum.value.littleEndianBytes + UInt32(truncatingIfNeeded: bytes.count).littleEndianBytes
    }

    /// Returns uncompressed meta-blocks (RFC 7932, section 9.2), followed by an empty last one.
    private static func brotliStream(_ bytes: [UInt8]) -> [UInt8] {
        var stream = BitWriter()
        stream.append(0, count: 1)  // a window of 64 KiB
        for (block, _) in blocks(of: bytes, atMost: 1 << 16) where !block.isEmpty {
            stream.append(0, count: 1)  // not the last meta-block
            stream.append(0, count: 2)  // four nibbles of length
            stream.append(UInt32(block.count - 1), count: 16)
            stream.append(1, count: 1)  // an uncompressed meta-block
            stream.align()
            stream.append(block)
        }
        stream.append(0b11, count: 2)  // the last meta-block, which is empty
        stream.align()
        return stream.bytes
    }

    /// Returns one frame of raw blocks (RFC 8878, section 3.1.1), without a checksum.
    private static func zstdFrame(_ bytes: [UInt8]) -> [UInt8] {
        // The frame is a single segment whose size has four bytes; the window is then the whole content.
        var frame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0b1010_0000]
        frame += UInt32(truncatingIfNeeded: bytes.count).littleEndianBytes
        for (block, isLast) in blocks(of: bytes, atMost: 128 << 10) {
            frame += (UInt32(block.count) << 3 | (isLast ? 1 : 0)).littleEndianBytes.prefix(3) + block
        }
        return frame
    }

    /// Returns the blocks of some bytes. There is at least one block, which may be empty.
    private static func blocks(of bytes: [UInt8], atMost size: Int) -> [(ArraySlice<UInt8>, isLast: Bool)] {
        stride(from: 0, to: max(bytes.count, 1), by: size).map { start in
            let end = min(start + size, bytes.count)
            return (bytes[start..<end], end == bytes.count)
        }
    }
}

extension FixedWidthInteger {
    var littleEndianBytes: [UInt8] {
        (0..<Self.bitWidth / 8).map { UInt8(truncatingIfNeeded: self >> (8 * $0)) }
    }

    var bigEndianBytes: [UInt8] { littleEndianBytes.reversed() }
}
