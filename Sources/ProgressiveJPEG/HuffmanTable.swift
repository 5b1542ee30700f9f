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
