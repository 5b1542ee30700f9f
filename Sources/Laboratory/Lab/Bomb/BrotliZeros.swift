/// A brotli stream that contains only zeros (RFC 7932). It needs no compressor, and 13 bytes for each block of 16 MiB.
///
/// A block is one command: it inserts one zero, and copies it from distance 1 to the end of the block. Each of the
/// three codes has one symbol, which takes no bits.
enum BrotliZeros {
    /// The largest size of a meta-block, in bytes.
    static let blockSize = 1 << 24
    /// The shortest length in the last class of copy lengths, which has 24 extra bits (RFC 7932, section 5), in bytes.
    private static let shortestLongCopy = 2_118

    /// Returns a stream of blocks of zeros, with a window of 16 MiB.
    static func stream(blocks: Int) -> [UInt8] {
        var bits = BitWriter()
        bits.append(0b1111, count: 4)  // a window of 2²⁴ - 16 bytes
        for _ in 0..<blocks { appendBlock(to: &bits) }
        bits.append(0b11, count: 2)  // the last block, and empty
        bits.align()
        return bits.bytes
    }

    private static func appendBlock(to bits: inout BitWriter) {
        bits.append(0, count: 1)  // not the last meta-block
        bits.append(6 - 4, count: 2)  // six nibbles of length
        bits.append(UInt32(blockSize - 1), count: 24)
        bits.append(0, count: 1)  // a compressed meta-block
        bits.append(0, count: 3)  // one type of literals, of commands and of distances
        bits.append(0, count: 6)  // no postfix bits and no direct distances
        bits.append(0, count: 2)  // the context mode of literals
        bits.append(0, count: 2)  // one code for literals and one for distances
        appendCode(of: 0, width: 8, to: &bits)  // the literal zero
        appendCode(of: 384 + (1 << 3) + 7, width: 10, to: &bits)  // insert one byte, and copy with 24 further bits
        appendCode(of: 16, width: 6, to: &bits)  // the distance is 1 or 2
        bits.append(UInt32(blockSize - 1 - shortestLongCopy), count: 24)
        bits.append(0, count: 1)  // the distance is 1
    }

    /// Appends a simple code of one symbol (RFC 7932, section 3.4).
    private static func appendCode(of symbol: UInt32, width: Int, to bits: inout BitWriter) {
        bits.append(1, count: 2)
        bits.append(1 - 1, count: 2)
        bits.append(symbol, count: width)
    }
}

/// A writer that packs bits into bytes as deflate does (RFC 1951, section 3.1.1): from the least significant bit up.
struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private var pending: UInt64 = 0
    private var pendingCount = 0

    /// Appends the lowest `count` bits of `bits`, at most 32, the lowest bit first.
    mutating func append(_ bits: UInt32, count: Int) {
        pending |= UInt64(bits) << UInt64(pendingCount)
        pendingCount += count
        while pendingCount >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: pending))
            pending >>= 8
            pendingCount -= 8
        }
    }

    /// Appends any number of zero bits, in whole bytes.
    mutating func appendZeros(count: Int) {
        let untilAligned = min(count, (8 - pendingCount) % 8)
        append(0, count: untilAligned)
        let wholeBytes = (count - untilAligned) / 8
        bytes.append(contentsOf: repeatElement(0, count: wholeBytes))
        append(0, count: count - untilAligned - wholeBytes * 8)
    }

    /// Appends whole bytes. The last byte must be full.
    mutating func append(_ whole: some Sequence<UInt8>) { bytes += whole }

    /// Fills the last byte with zero bits.
    mutating func align() { append(0, count: (8 - pendingCount) % 8) }
}
