/// One entry of a TIFF directory: a tag, and where its values stand.
struct TIFFEntry: Sendable, Equatable {
    /// Byte, short, long, and undefined bytes; of the other types nothing is read.
    private static let widths = [1: 1, 3: 2, 4: 4, 7: 1]

    let tag: Int
    let count: Int
    /// Bytes of one value, or 0 for a type that is not read.
    let width: Int
    /// Offset of the first value: within the entry if all values fit into four bytes.
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

    /// The first number, or `nil` without one, outside the bytes and for other types.
    func value(of tiff: Span<UInt8>) -> Int? {
        guard count > 0 else { return nil }
        switch width {
        case 1: return tiff.byte(at: offset).map { Int($0) }
        case 2: return isLittleEndian ? tiff.littleEndian16(at: offset) : tiff.bigEndian16(at: offset)
        case 4: return isLittleEndian ? tiff.littleEndian32(at: offset) : tiff.bigEndian32(at: offset)
        default: return nil
        }
    }
}
