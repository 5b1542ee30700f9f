/// An entry of a TIFF directory: a tag, and the offset of its values.
struct TIFFEntry: Sendable, Equatable {
    /// The bytes of a value by its type: byte, short, long and undefined. Values of other types are not read.
    private static let widths = [1: 1, 3: 2, 4: 4, 7: 1]

    let tag: Int
    let count: Int
    /// The number of bytes of one value; 0 for a type that is not read.
    let width: Int
    /// The offset of the first value. Values with a total size of at most four bytes are stored in the entry itself.
    let offset: Int
    let isLittleEndian: Bool

    /// Reads the entry at an offset; `nil` if it lies outside the bytes.
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

    /// Returns the first number; `nil` if the entry has none, if it lies outside the bytes, or if its type is not read.
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

/// The tags by which raw files of cameras are recognized (TIFF 6.0; TIFF/EP; DNG 1.7).
enum TIFFTag: Int {
    case newSubfileType = 254
    case subDirectories = 330
    case mosaicDimensions = 33_421
    case mosaicPattern = 33_422
    case dngVersion = 50_706
}
