import TestSupport
import Testing

@testable import MediaTranscoder

struct BitReaderTests {
    /// Reads bits in pieces of these lengths, and returns the values and whether more bits were read than the input
    /// has.
    private func read(_ bytes: [UInt8], by lengths: [Int]) -> (values: [Int], isOverdrawn: Bool) {
        var bits = BitReader(0..<bytes.count)
        let values = lengths.map { length in
            bits.fill(bytes.span)
            return bits.take(length)
        }
        return (values, bits.isOverdrawn)
    }

    @Test func `the reader skips a stuffed zero at any position`() {
        for place in 0..<20 {
            var bytes = [UInt8](repeating: 0x5A, count: 20)
            var wanted = bytes.map(Int.init)
            bytes.replaceSubrange(place...place, with: [0xFF, 0])
            wanted[place] = 0xFF
            let read = read(bytes, by: [Int](repeating: 8, count: 20))
            #expect(read.values == wanted && !read.isOverdrawn)
        }
    }

    @Test func `the reader returns the same bits for any division of the bytes into pieces`() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            let plain = (0..<40).map { _ in
                UInt8.random(in: 0...255, using: &random) | (Bool.random(using: &random) ? 0xF0 : 0)
            }
            let stuffed = plain.flatMap { $0 == 0xFF ? [$0, 0] : [$0] }
            var lengths: [Int] = []
            while lengths.reduce(0, +) < 304 { lengths.append(Int.random(in: 1...16, using: &random)) }
            let all = plain.flatMap { byte in (0..<8).map { Int(byte >> (7 - $0)) & 1 } }
            var place = 0
            let wanted = lengths.map { length in
                defer { place += length }
                return all[place..<place + length].reduce(0) { $0 << 1 | $1 }
            }
            #expect(read(stuffed, by: lengths).values == wanted)
        }
    }

    @Test(arguments: [[0xFF, 0xD9], [0xFF], [], [0xFF, 0xD0, 0x12, 0x34]])
    func `the reader returns zeros after a marker or the end, and reports the zeros as overdrawn`(ending: [UInt8]) {
        let within = read([0xAB, 0xCD] + ending, by: [8, 8])
        #expect(within.values == [0xAB, 0xCD] && !within.isOverdrawn)
        let beyond = read([0xAB, 0xCD] + ending, by: [8, 8, 1])
        #expect(beyond.values == [0xAB, 0xCD, 0] && beyond.isOverdrawn)
    }

    @Test func `a restart marker is accepted only at its position, with its number and after set padding bits`() {
        let bytes: [UInt8] = [0xBF, 0xFF, 0xD1, 0xCD]
        for (taken, number, isThere) in [
            (8, 1, true), (3, 1, true), (1, 1, false), (8, 2, false), (9, 1, false), (0, 1, false),
        ] {
            var bits = BitReader(0..<bytes.count)
            bits.fill(bytes.span)
            if taken > 0 { _ = bits.take(taken) }
            #expect(bits.restart(number, bytes.span) == isThere, "\(taken) bits, number \(number)")
            guard isThere else { continue }
            bits.fill(bytes.span)
            #expect(bits.take(8) == 0xCD && !bits.isOverdrawn)
        }
    }

    @Test func `a number is decoded by its size and its bits`() {
        // In T.81, table F.1, the bits of size 3 have these values: 000 is -7, 011 is -4, 100 is 4, and 111 is 7.
        let bytes: [UInt8] = [0b0000_1110, 0b0111_0000]
        var bits = BitReader(0..<bytes.count)
        bits.fill(bytes.span)
        #expect((0..<4).map { _ in bits.number(3) } == [-7, -4, 4, 7])
        #expect(bits.number(0) == 0)
    }
}
