/// A deflate stream that contains only zeros, at the best ratio of the format (1032 to 1). It needs no compressor.
///
/// The stream is one block with its own Huffman code (RFC 1951, section 3.2.7) of three symbols. A match of 258 bytes
/// is the bit 0, the literal zero is 10, and the end is 11. The only distance, 1, is the bit 0. Therefore 258 zeros are
/// the bits 00, and all bytes except those at both ends of the stream are zero.
enum DeflatedZeros {
    private static let longestMatch = 258

    /// Returns a stream that inflates to `count` zeros, at least 1.
    static func stream(inflatingTo count: Int) -> [UInt8] {
        var bits = BitWriter()
        appendCode(to: &bits)
        // A match needs a byte before it, and all matches have the same length. Literals make up the remaining bytes.
        let matches = (count - 1) / longestMatch
        for _ in 0..<(count - matches * longestMatch) { bits.append(0b01, count: 2) }
        bits.appendZeros(count: matches * 2)
        bits.append(0b11, count: 2)
        bits.align()
        return bits.bytes
    }

    /// Appends the header of the block: the lengths of the codes for 0 (2 bits), 256 (2), 285 (1) and distance 0 (1).
    private static func appendCode(to bits: inout BitWriter) {
        bits.append(0b1, count: 1)  // the last block
        bits.append(0b10, count: 2)  // with a code of its own
        bits.append(286 - 257, count: 5)  // literals and lengths 0...285
        bits.append(1 - 1, count: 5)  // one distance
        bits.append(18 - 4, count: 4)  // 18 lengths of the code for lengths follow, in the format's own order
        let lengthCode: [UInt32] = [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2]
        for length in lengthCode { bits.append(length, count: 3) }
        // The resulting codes are 0 for "zeros, 11 plus the next 7 bits", 10 for length 1, and 11 for length 2.
        bits.append(0b11, count: 2)  // 0 has two bits
        appendUnused(138, to: &bits)
        appendUnused(117, to: &bits)  // 1...255
        bits.append(0b11, count: 2)  // 256 has two bits
        appendUnused(28, to: &bits)  // 257...284
        bits.append(0b01, count: 2)  // 285 has one bit
        bits.append(0b01, count: 2)  // distance 0 has one bit
    }

    private static func appendUnused(_ count: UInt32, to bits: inout BitWriter) {
        bits.append(0, count: 1)
        bits.append(count - 11, count: 7)
    }
}
