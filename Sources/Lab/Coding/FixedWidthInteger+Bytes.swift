extension FixedWidthInteger {
    var littleEndianBytes: [UInt8] {
        (0..<Self.bitWidth / 8).map { UInt8(truncatingIfNeeded: self >> (8 * $0)) }
    }

    var bigEndianBytes: [UInt8] { littleEndianBytes.reversed() }
}
