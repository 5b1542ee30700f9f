import BenchProcess

/// A damage of a file, which is derived from a number. The same number damages the same file in the same way.
struct MediaMutation: Sendable {
    private var generator: SplitMix

    init(number: Int, seed: Int) {
        generator = SplitMix(
            seed: UInt64(bitPattern: Int64(seed)) &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(bitPattern: Int64(number)))
        for _ in 0..<4 { _ = generator.next() }
    }

    /// Returns a number from 0 to `bound` - 1. The bound must be at least 1.
    mutating func below(_ bound: Int) -> Int { Int(generator.next() % UInt64(bound)) }

    /// Returns an offset in the file. Half of the offsets are in the first 512 bytes, because headers are small and
    /// have the largest effect on a decoder.
    private mutating func place(in count: Int) -> Int { below(below(2) == 0 ? min(count, 512) : count) }

    /// Damages the bytes at one offset or, in half of the cases, at up to eight offsets.
    ///
    /// - Returns: The kinds of damage, for a report.
    mutating func apply(to bytes: inout [UInt8]) -> String {
        var kinds: [String] = []
        for _ in 0...(below(2) == 0 ? 0 : below(8)) where !bytes.isEmpty {
            let place = place(in: bytes.count)
            switch below(7) {
            case 0:
                bytes[place] ^= 1 << UInt8(below(8))
                kinds.append("bit")
            case 1:
                bytes[place] = UInt8(below(256))
                kinds.append("byte")
            case 2:
                // These byte values lead to extreme values of lengths and counts.
                let value: UInt8 = [0x00, 0x7F, 0x80, 0xFF][below(4)]
                for index in place..<min(bytes.count, place + 4) { bytes[index] = value }
                kinds.append("word")
            case 3:
                bytes.removeLast(bytes.count - max(1, place))
                kinds.append("cut")
            case 4:
                bytes.removeSubrange(place..<min(bytes.count, place + 1 + below(64)))
                kinds.append("hole")
            case 5:
                bytes.insert(contentsOf: (0...below(64)).map { _ in UInt8(below(256)) }, at: place)
                kinds.append("noise")
            default:
                let end = min(bytes.count, place + 1 + below(4_096))
                bytes.insert(contentsOf: bytes[place..<end], at: self.place(in: bytes.count))
                kinds.append("copy")
            }
        }
        return kinds.joined(separator: "+")
    }
}
