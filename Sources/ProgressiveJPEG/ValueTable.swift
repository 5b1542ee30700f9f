/// A Huffman table whose codes announce numbers (ITU-T T.81, F.1.2.1 and F.1.2.2): short codes are found together with the
/// number that follows.
struct ValueTable {
    /// Codes and their numbers of up to so many bits together are found at once.
    static let quickBits = 10

    let codes: HuffmanTable
    /// By the next ten bits, 0 where they do not hold a code and its whole number.
    private let quick: [Int32]

    /// - Parameter hasZero: `true` for DC tables, in which a code without further bits is the number 0 and no code has
    ///   a run. In AC tables such a code is a run of zeros, or the end of a band.
    init(_ codes: HuffmanTable, hasZero: Bool) {
        self.codes = codes
        quick = (0..<1 << Self.quickBits).map { bits in
            let entry = Int(codes.quick[bits >> (Self.quickBits - HuffmanTable.quickBits)])
            let (length, run, size) = (entry >> 8, entry >> 4 & 15, entry & 15)
            let spare = Self.quickBits - length - size
            guard length > 0, hasZero ? run == 0 : size > 0, spare >= 0 else { return 0 }
            let value = size > 0 ? BitReader.extended(bits >> spare & (1 << size - 1), size) : 0
            return Int32(value << 16 | run << 8 | (length + size))
        }
    }

    /// A run of zeros and the number behind it, of so many bits together.
    struct Number {
        fileprivate let packed: Int32

        var length: Int { Int(packed & 255) }
        var run: Int { Int(packed >> 8 & 15) }
        var value: Int { Int(packed >> 16) }
    }

    /// - Parameter bits: the next ten.
    @inline(__always)
    func number(_ bits: Int) -> Number? {
        let packed = quick[bits]
        return packed == 0 ? nil : Number(packed: packed)
    }
}
