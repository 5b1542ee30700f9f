/// A reader of the bits of entropy-coded data (ITU-T T.81, F.2.2.5), up to the next marker. After the marker, the
/// reader returns zeros. Each step borrows the bytes.
struct BitReader {
    /// The next bits, from the highest bit of the word on.
    private var word: UInt64 = 0
    /// The number of valid bits in `word`, including the zeros after the end.
    private var count = 0
    /// The number of zeros that were added after the end.
    private var padding = 0
    private var offset: Int
    private let end: Int

    /// Creates a reader of a scan.
    ///
    /// - Parameter range: The range of the scan's data within the bytes, including restart markers.
    init(_ range: Range<Int>) { (offset, end) = (range.lowerBound, range.upperBound) }

    /// Whether more bits were taken than the data has.
    var isOverdrawn: Bool { count < padding }

    /// Reads bytes until 32 bits can be taken. The 32 bits are enough for a code and the number after it.
    @inline(__always)
    mutating func fill(_ bytes: Span<UInt8>) {
        // The method below works on a copy, so that the fields stay in registers.
        if count < 32 { self = filled(bytes) }
    }

    private func filled(_ bytes: Span<UInt8>) -> BitReader {
        var bits = self
        if offset + 8 <= end {
            let next = unsafe UInt64(
                bigEndian: bytes.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
            // Most words of eight bytes have no byte of 0xFF. With all bits inverted, such a byte is zero.
            let turned = ~next
            if (turned &- 0x0101_0101_0101_0101) & next & 0x8080_8080_8080_8080 == 0 {
                // The bits of `word` beyond `count` are the same as the first bits of the next read.
                bits.word |= next &>> UInt64(truncatingIfNeeded: count)
                bits.offset &+= (63 &- count) &>> 3
                bits.count |= 56
                return bits
            }
        }
        while bits.count <= 56 {
            var byte: UInt8 = 0
            if bits.offset < end, bytes[bits.offset] != 0xFF {
                byte = bytes[bits.offset]
                bits.offset += 1
            } else if bits.offset + 1 < end, bytes[bits.offset + 1] == 0 {
                byte = 0xFF
                bits.offset += 2
            } else {
                bits.padding += 8
            }
            bits.word |= UInt64(byte) << UInt64(56 - bits.count)
            bits.count += 8
        }
        return bits
    }

    /// Continues after the expected restart marker in damaged data, as libjpeg does (`jpeg_resync_to_restart`).
    ///
    /// The method skips other bytes, markers of other kinds, and restart markers that were expected earlier.
    ///
    /// - Parameter number: The number of the expected marker, 0…7.
    /// - Returns: `false` if the marker is missing. The marker here is expected later, or belongs to no scan.
    mutating func resynchronise(_ number: Int, _ bytes: Span<UInt8>) -> Bool {
        (word, count, padding) = (0, 0, 0)
        while offset + 1 < end {
            let marker = bytes[offset + 1]
            // These bytes are not a marker, or are a marker that is not allowed in a scan.
            guard bytes[offset] == 0xFF, marker != 0, marker != 0xFF, marker >= 0xC0 else {
                offset += 1
                continue
            }
            guard (0xD0...0xD7).contains(marker) else { return false }
            let distance = (Int(marker) - 0xD0 - number) & 7
            if distance == 1 || distance == 2 { return false }
            offset += 2
            if distance == 6 || distance == 7 { continue }
            return true
        }
        return false
    }

    /// Whether no byte of the scan is left.
    var isAtEnd: Bool { offset + 1 >= end }

    /// Continues after a restart marker, and after the set bits that pad the byte before it (ITU-T T.81, F.1.2.3).
    ///
    /// - Parameter number: The number of the expected marker, 0…7.
    /// - Returns: `false` if the marker is not at this position.
    mutating func restart(_ number: Int, _ bytes: Span<UInt8>) -> Bool {
        let filling = count - padding
        guard (0..<8).contains(filling), filling == 0 || next(filling) == 1 << filling - 1,
            offset + 1 < end, bytes[offset] == 0xFF, bytes[offset + 1] == 0xD0 + UInt8(number)
        else { return false }
        offset += 2
        (word, count, padding) = (0, 0, 0)
        return true
    }

    /// Returns the next bits as a number, and removes them.
    ///
    /// - Parameter length: The number of bits, 1…16. `fill` must have read these bits before.
    @inline(__always)
    mutating func take(_ length: Int) -> Int {
        let value = next(length)
        drop(length)
        return value
    }

    /// Returns the next bits as a number without removing them.
    ///
    /// - Parameter length: The number of bits, 1…16. `fill` must have read these bits before.
    @inline(__always)
    func next(_ length: Int) -> Int { Int(truncatingIfNeeded: word &>> UInt64(truncatingIfNeeded: 64 &- length)) }

    @inline(__always)
    mutating func drop(_ length: Int) {
        word &<<= UInt64(truncatingIfNeeded: length)
        count &-= length
    }

    /// Returns the next symbol, and removes its code; `nil` if the bits are not a code.
    @inline(__always)
    mutating func symbol(_ table: borrowing HuffmanTable) -> Int? {
        var entry = table.quick[next(HuffmanTable.quickBits)]
        if entry == 0 {
            entry = table.long(next(16))
            if entry == 0 { return nil }
        }
        drop(Int(entry >> 8))
        return Int(entry & 255)
    }

    /// Returns a signed number of a known size, and removes its bits.
    ///
    /// - Parameter size: The number of bits, 0…15.
    @inline(__always)
    mutating func number(_ size: Int) -> Int { size > 0 ? Self.extended(take(size), size) : 0 }

    /// Returns the signed number for bits of that size (ITU-T T.81, F.2.2.1, EXTEND).
    @inline(__always)
    static func extended(_ bits: Int, _ size: Int) -> Int {
        bits < 1 &<< (size &- 1) ? bits &- 1 &<< size &+ 1 : bits
    }
}
