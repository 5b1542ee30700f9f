/// The checksum of gzip and PNG (ISO 3309). The computation skips a run of zeros in a few steps.
struct CRC32 {
    private static let polynomial: UInt32 = 0xEDB8_8320

    private var register: UInt32 = 0xFFFF_FFFF

    /// The checksum of all bytes so far.
    var value: UInt32 { ~register }

    mutating func feed(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { register = (register >> 8) ^ Self.table[Int(UInt8(truncatingIfNeeded: register) ^ byte)] }
    }

    /// Updates the checksum for `count` bytes with the value zero. A zero byte multiplies the register by x⁸ modulo the
    /// polynomial, so `count` zeros are a power of x⁸. This power is computed by repeated squaring.
    mutating func feed(zeros count: Int) {
        var power: UInt32 = 1 << 31  // x⁰: the bits are reflected
        var square: UInt32 = 1 << 23  // x⁸
        var rest = count
        while rest > 0 {
            if rest & 1 == 1 { power = Self.product(power, square) }
            square = Self.product(square, square)
            rest >>= 1
        }
        register = Self.product(power, register)
    }

    private static func product(_ left: UInt32, _ right: UInt32) -> UInt32 {
        var product: UInt32 = 0
        var shifted = right
        for bit in (0..<32).reversed() {
            if left & (1 << UInt32(bit)) != 0 { product ^= shifted }
            shifted = shifted & 1 == 1 ? (shifted >> 1) ^ polynomial : shifted >> 1
        }
        return product
    }

    private static let table: [UInt32] = (0..<256).map { (index: UInt32) in
        (0..<8).reduce(index) { value, _ in value & 1 == 1 ? (value >> 1) ^ polynomial : value >> 1 }
    }
}
