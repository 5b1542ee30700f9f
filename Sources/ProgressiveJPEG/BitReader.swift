/// The bits of entropy-coded data (ITU-T T.81, F.2.2.5), up to the next marker; zeros follow there. The bytes are lent to
/// each step.
struct BitReader {
    /// The next ones, from the top.
    private var word: UInt64 = 0
    /// How many of them were read, zeros behind the end counted.
    private var count = 0
    /// Zeros behind the end.
    private var padding = 0
    private var offset: Int
    private let end: Int

    /// - Parameter range: where a scan's data stands, restart markers included; within the bytes.
    init(_ range: Range<Int>) {
        (offset, end) = (range.lowerBound, range.upperBound)
    }

    /// Whether more was taken than there was.
    var isOverdrawn: Bool { count < padding }

    /// Makes sure that 32 bits can be taken: a code and what it announces.
    @inline(__always)
    mutating func fill(_ bytes: Span<UInt8>) {
        // By value, so that these stay in registers.
        if count < 32 { self = filled(bytes) }
    }

    private func filled(_ bytes: Span<UInt8>) -> BitReader {
        var bits = self
        if offset + 8 <= end {
            let next = UInt64(bigEndian: bytes.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
            // Most eight bytes have no 0xFF among them: none is zero when all bits are turned over.
            let turned = ~next
            if (turned &- 0x0101_0101_0101_0101) & next & 0x8080_8080_8080_8080 == 0 {
                // Bits beyond `count` are those that come again with the next word.
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

    /// Begins anew behind the restart marker that is due, as libjpeg does in damaged data (jdmarker.c,
    /// `jpeg_resync_to_restart`): passes over bytes before it, and over markers that are no restart or were due before.
    ///
    /// - Parameter number: of the marker, 0…7.
    /// - Returns: `false` if it is missing: what stands there is due later, or belongs to no scan.
    mutating func resynchronise(_ number: Int, _ bytes: Span<UInt8>) -> Bool {
        (word, count, padding) = (0, 0, 0)
        while offset + 1 < end {
            let marker = bytes[offset + 1]
            // Not a marker, or one that may not stand in a scan.
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

    /// Begins anew behind a restart marker, and the ones that fill the byte before it (F.1.2.3).
    ///
    /// - Parameter number: of the marker, 0…7.
    /// - Returns: `false` where it does not stand here.
    mutating func restart(_ number: Int, _ bytes: Span<UInt8>) -> Bool {
        let filling = count - padding
        guard (0..<8).contains(filling), filling == 0 || next(filling) == 1 << filling - 1,
            offset + 1 < end, bytes[offset] == 0xFF, bytes[offset + 1] == 0xD0 + UInt8(number)
        else { return false }
        offset += 2
        (word, count, padding) = (0, 0, 0)
        return true
    }

    /// The next bits as a number.
    ///
    /// - Parameter length: 1…16, of bits that were filled.
    @inline(__always)
    mutating func take(_ length: Int) -> Int {
        let value = next(length)
        drop(length)
        return value
    }

    /// The next bits, which stay.
    ///
    /// - Parameter length: 1…16, of bits that were filled.
    @inline(__always)
    func next(_ length: Int) -> Int { Int(truncatingIfNeeded: word &>> UInt64(truncatingIfNeeded: 64 &- length)) }

    @inline(__always)
    mutating func drop(_ length: Int) {
        word &<<= UInt64(truncatingIfNeeded: length)
        count &-= length
    }

    /// The next symbol; `nil` for bits that are no code.
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

    /// A number whose size is told.
    ///
    /// - Parameter size: its bits, 0…15.
    @inline(__always)
    mutating func number(_ size: Int) -> Int { size > 0 ? Self.extended(take(size), size) : 0 }

    /// What the bits of a number of that size mean (F.2.2.1, EXTEND).
    @inline(__always)
    static func extended(_ bits: Int, _ size: Int) -> Int {
        bits < 1 &<< (size &- 1) ? bits &- 1 &<< size &+ 1 : bits
    }
}
