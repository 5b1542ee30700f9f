import Testing

@testable import MediaTranscoder

struct HuffmanTableTests {
    private func counts(_ pairs: [Int: Int]) -> [Int] { (1...16).map { pairs[$0] ?? 0 } }

    @Test func `the codes of each length are decoded, and bits without a code are reported`() throws {
        // The codes are 0 and 10, then one of 9 bits, one of 10 bits and one of 16 bits.
        let table = try #require(
            HuffmanTable(counts: counts([1: 1, 2: 1, 9: 1, 10: 1, 16: 1]), symbols: [5, 6, 7, 8, 9]))
        #expect(table.quick[0b0_1111_1111] == 0x0105)
        #expect(table.quick[0b1_0000_0000] == 0x0206)
        #expect(table.quick[0b1_1000_0000] == 0x0907)
        #expect(table.quick[0b1_1000_0001] == 0)
        #expect(table.long(0b1100_0000_1000_0000) == 0x0A08)
        #expect(table.long(0b1100_0000_1100_0000) == 0x1009)
        #expect(table.long(0b1100_0000_1100_0001) == 0)
        #expect(table.long(0xFFFF) == 0)
    }

    @Test func `a table with more codes than a length allows is refused`() {
        #expect(HuffmanTable(counts: counts([1: 3]), symbols: [1, 2, 3]) == nil)
        #expect(HuffmanTable(counts: counts([1: 2, 2: 1]), symbols: [1, 2, 3]) == nil)
        #expect(HuffmanTable(counts: counts([16: 257]), symbols: [UInt8](repeating: 0, count: 257)) == nil)
        #expect(HuffmanTable(counts: counts([2: 2]), symbols: [1]) == nil)
        #expect(HuffmanTable(counts: counts([1: 2]), symbols: [1, 2]) != nil)
        #expect(HuffmanTable(counts: counts([:]), symbols: []) != nil)
    }
}
