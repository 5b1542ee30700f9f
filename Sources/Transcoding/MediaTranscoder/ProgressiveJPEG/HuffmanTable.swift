/// A Huffman table of a JPEG (ITU-T T.81, annex C), prepared for finding a code by its first bits.
struct HuffmanTable {
    /// The length of the longest codes that one look-up finds, in bits.
    static let quickBits = 9

    /// The entries for each value of the next nine bits. The upper byte is the code's length, and the lower byte is its
    /// symbol. An entry of 0 stands for a longer code.
    let quick: [UInt16]
    /// The limits by length. A limit is the smallest value of 16 bits above all codes of at most this length.
    private let limits: [Int]
    /// The number that is added to a code to get the index of its symbol, by the length of the code.
    private let offsets: [Int]
    private let symbols: [UInt8]

    /// Creates a look-up table.
    ///
    /// - Parameter counts: The number of codes of 1, 2, … 16 bits.
    /// - Parameter symbols: The symbols of all codes, in the order of their lengths.
    /// - Returns: `nil` if there are more codes than their lengths allow.
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

    /// Returns a code among the next sixteen bits that is too long for `quick`. The upper byte is the code's length,
    /// and the lower byte is its symbol. The result is 0 if the bits are not a code.
    func long(_ bits: Int) -> UInt16 {
        for length in Self.quickBits + 1...16 where bits < limits[length] {
            let place = bits >> (16 - length) + offsets[length]
            return symbols.indices.contains(place) ? UInt16(length) << 8 | UInt16(symbols[place]) : 0
        }
        return 0
    }
}

/// The current Huffman tables of an image by their numbers, each prepared as a `Table`.
struct HuffmanTables<Table> {
    private(set) var dc = [Table?](repeating: nil, count: 4)
    private(set) var ac = [Table?](repeating: nil, count: 4)
    private var count = 0

    /// Reads a segment of Huffman tables (ITU-T T.81, B.2.4.2).
    ///
    /// - Parameter make: A closure that prepares a table, which is for DC coefficients if its argument is true.
    /// - Returns: `false` if the segment is damaged, or has too many tables.
    mutating func read(_ body: Span<UInt8>, _ make: (HuffmanTable, Bool) -> Table) -> Bool {
        guard let definitions = HuffmanTable.definitions(in: body, most: HuffmanTable.maxTables - count) else {
            return false
        }
        count += definitions.count
        for definition in definitions {
            let table = make(definition.table, definition.isForDC)
            if definition.isForDC { dc[definition.number] = table } else { ac[definition.number] = table }
        }
        return true
    }
}

extension HuffmanTable {
    /// The maximum number of tables of one image. Encoders write at most four for each scan. The preparation of a table
    /// takes microseconds, and a segment may contain thousands of tables.
    static let maxTables = 1_024

    /// A table as a segment of the file defines it.
    struct Definition {
        let isForDC: Bool
        /// The number by which scans refer to the table, 0…3.
        let number: Int
        let table: HuffmanTable
    }

    /// Returns the tables of a segment (ITU-T T.81, B.2.4.2); `nil` if it is damaged, or has more tables than `most`.
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
