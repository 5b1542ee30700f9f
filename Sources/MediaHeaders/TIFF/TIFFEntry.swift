/// One entry of a TIFF directory: a tag, and where its values stand.
struct TIFFEntry: Sendable, Equatable {
    /// Byte, short, long, rational, and undefined bytes; of the other types nothing is read.
    private static let widths = [1: 1, 3: 2, 4: 4, 5: 8, 7: 1]

    let tag: Int
    let count: Int
    /// Bytes of one value, or 0 for a type that is not read.
    let width: Int
    /// Of the first value: within the entry where all fit into four bytes.
    let offset: Int
    let isLittleEndian: Bool

    /// The entry at an offset, or `nil` when it does not lie within the bytes.
    init?(at start: Int, isLittleEndian: Bool, of tiff: Span<UInt8>) {
        let tag = isLittleEndian ? tiff.littleEndian16(at: start) : tiff.bigEndian16(at: start)
        let type = isLittleEndian ? tiff.littleEndian16(at: start + 2) : tiff.bigEndian16(at: start + 2)
        let count = isLittleEndian ? tiff.littleEndian32(at: start + 4) : tiff.bigEndian32(at: start + 4)
        let field = isLittleEndian ? tiff.littleEndian32(at: start + 8) : tiff.bigEndian32(at: start + 8)
        guard let tag, let type, let count, let field else { return nil }
        self.tag = tag
        self.count = count
        self.isLittleEndian = isLittleEndian
        width = Self.widths[type] ?? 0
        offset = count * width <= 4 ? start + 8 : field
    }

    /// All bytes of the values, wherever they are said to be.
    var range: Range<Int> {
        offset..<offset + count * width
    }

    /// A number, or `nil` behind the last value, outside the bytes and for other types.
    func value(_ index: Int = 0, of tiff: Span<UInt8>) -> Int? {
        guard index >= 0, index < count else { return nil }
        let place = offset + index * width
        switch width {
        case 1: return tiff.byte(at: place).map { Int($0) }
        case 2: return isLittleEndian ? tiff.littleEndian16(at: place) : tiff.bigEndian16(at: place)
        case 4: return isLittleEndian ? tiff.littleEndian32(at: place) : tiff.bigEndian32(at: place)
        default: return nil
        }
    }

    /// A quotient of two longs, or `nil` behind the last value, outside the bytes, for other types and of 0.
    func rational(_ index: Int, of tiff: Span<UInt8>) -> Double? {
        guard index >= 0, index < count, width == 8 else { return nil }
        let place = offset + index * width
        let numerator = isLittleEndian ? tiff.littleEndian32(at: place) : tiff.bigEndian32(at: place)
        let denominator = isLittleEndian ? tiff.littleEndian32(at: place + 4) : tiff.bigEndian32(at: place + 4)
        guard let numerator, let denominator, denominator > 0 else { return nil }
        return Double(numerator) / Double(denominator)
    }
}
