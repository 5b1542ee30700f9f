/// One colour, or alpha, in the number of a pixel.
struct MaskedPart {
    private let mask: UInt32
    private let shift: UInt32
    /// The greatest value, which is full strength.
    private let most: UInt32

    /// - Parameter mask: 0 for what is not in the number.
    init(_ mask: UInt32) {
        self.mask = mask
        shift = mask == 0 ? 0 : UInt32(mask.trailingZeroBitCount)
        most = mask >> shift
    }

    /// 0…255; of a part that is not there 0.
    func value(in number: UInt32) -> UInt8 {
        guard most > 0 else { return 0 }
        let part = UInt64((number & mask) >> shift)
        return UInt8((part * 255 + UInt64(most) / 2) / UInt64(most))
    }
}
