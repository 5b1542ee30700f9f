/// A Huffman table of a JPEG (ITU-T T.81, annex C), made for finding a code by its first bits.
struct HuffmanTable {
    /// Codes of up to so many bits are found at once.
    static let quickBits = 9

    /// By the next nine bits: the code's length in the upper byte, its symbol in the lower; 0 where it is longer.
    let quick: [UInt16]
    /// By length: the first sixteen bits behind the last code of up to this length.
    private let limits: [Int]
    /// By length: what leads from a code to the place of its symbol.
    private let offsets: [Int]
    private let symbols: [UInt8]

    /// - Parameters:
    ///   - counts: how many codes there are of 1, 2, … 16 bits.
    ///   - symbols: of all codes, the shortest first.
    /// - Returns: `nil` for more codes than so many bits can tell apart.
    init?(counts: [Int], symbols: [UInt8]) {
        guard counts.count == 16, counts.reduce(0, +) == symbols.count, symbols.count <= 256 else { return nil }
        var quick = [UInt16](repeating: 0, count: 1 << Self.quickBits)
        var limits = [0]
        var offsets = [0]
        var (code, place) = (0, 0)
        for length in 1...16 {
            let count = counts[length - 1]
            offsets.append(place - code)
            guard code + count <= 1 << length else { return nil }
            if length <= Self.quickBits {
                let spare = Self.quickBits - length
                for index in 0..<count {
                    let entry = UInt16(length) << 8 | UInt16(symbols[place + index])
                    for bits in (code + index) << spare..<(code + index + 1) << spare { quick[bits] = entry }
                }
            }
            place += count
            code += count
            limits.append(code << (16 - length))
            code <<= 1
        }
        (self.quick, self.limits, self.offsets, self.symbols) = (quick, limits, offsets, symbols)
    }

    /// The code among the next sixteen bits that is too long for `quick`: its length in the upper byte, its symbol in the
    /// lower; 0 for bits that are no code.
    func long(_ bits: Int) -> UInt16 {
        for length in Self.quickBits + 1...16 where bits < limits[length] {
            let place = bits >> (16 - length) + offsets[length]
            return symbols.indices.contains(place) ? UInt16(length) << 8 | UInt16(symbols[place]) : 0
        }
        return 0
    }
}

extension HuffmanTable {
    /// The most tables of one picture. Encoders write at most four for each scan. One takes microseconds to make, and a
    /// segment may hold thousands.
    static let mostTables = 1_024

    /// A table as a segment of the file defines it.
    struct Definition {
        let isForDC: Bool
        /// 0…3.
        let number: Int
        let table: HuffmanTable
    }

    /// Returns the tables of a segment (B.2.4.2); `nil` for damage, or for more tables than `most`.
    static func definitions(in body: Span<UInt8>, most: Int) -> [Definition]? {
        var definitions: [Definition] = []
        var offset = 0
        while offset < body.count {
            guard offset + 17 <= body.count, body[offset] >> 4 <= 1, body[offset] & 15 <= 3, definitions.count < most
            else { return nil }
            let counts = (1...16).map { Int(body[offset + $0]) }
            let first = offset + 17
            let end = first + counts.reduce(0, +)
            guard end <= body.count,
                let table = HuffmanTable(counts: counts, symbols: (first..<end).map { body[$0] })
            else { return nil }
            definitions.append(
                Definition(isForDC: body[offset] >> 4 == 0, number: Int(body[offset] & 15), table: table))
            offset = end
        }
        return definitions
    }
}
