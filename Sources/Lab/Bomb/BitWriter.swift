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
