/// A Huffman table whose codes announce numbers (ITU-T T.81, F.1.2.1, F.1.2.2). One look-up finds short ones.
struct ValueTable {
    /// The length of the longest codes and numbers that one look-up finds, in bits of both together.
    static let quickBits = 10

    let codes: HuffmanTable
    /// The entries for each value of the next ten bits. An entry of 0 stands for a longer code or number.
    private let quick: [Int32]

    /// Creates a look-up table.
    ///
    /// - Parameter hasZero: Whether a code without further bits is the number 0, and no code has a run, as in DC
    ///   tables. In AC tables, such a code is a run of zeros or the end of a band.
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

    /// A run of zeros and the number after it. `length` is the number of bits of the code and the number.
    struct Number {
        fileprivate let packed: Int32

        var length: Int { Int(packed & 255) }
        var run: Int { Int(packed >> 8 & 15) }
        var value: Int { Int(packed >> 16) }
    }

    /// Returns the run and the number at the beginning of the bits; `nil` if they are longer than ten bits.
    ///
    /// - Parameter bits: The next ten bits.
    @inline(__always)
    func number(_ bits: Int) -> Number? {
        let packed = quick[bits]
        return packed == 0 ? nil : Number(packed: packed)
    }
}
