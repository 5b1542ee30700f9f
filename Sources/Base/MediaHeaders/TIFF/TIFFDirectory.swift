/// An image file directory of a TIFF structure (TIFF 6.0, section 2). An EXIF block has such a directory.
struct TIFFDirectory: Sendable, Equatable {
    /// The maximum number of entries that are read. A camera writes about 15; the count of 16 bits may be wrong.
    static let maxEntries = 512
    static let entryBytes = 12

    let isLittleEndian: Bool
    /// The offset of the first entry in the block.
    let entriesOffset: Int
    /// The number of entries that the directory states, at most `maxEntries`.
    let entryCount: Int

    /// Returns the first directory; `nil` if the block is no TIFF, or if the directory lies outside the block.
    static func firstDirectory(of tiff: Span<UInt8>) -> TIFFDirectory? {
        let isLittleEndian = tiff.spells("II", at: 0)
        guard isLittleEndian || tiff.spells("MM", at: 0), tiff.short(at: 2, isLittleEndian) == 42,
            let offset = tiff.long(at: 4, isLittleEndian), offset >= 8,
            let count = tiff.short(at: offset, isLittleEndian)
        else { return nil }
        return TIFFDirectory(
            isLittleEndian: isLittleEndian, entriesOffset: offset + 2, entryCount: min(count, maxEntries))
    }

    /// Returns the first value of an entry of shorts or longs; `nil` if the entry is missing or has another type.
    func number(of tag: Int, in tiff: Span<UInt8>) -> Int? {
        for index in 0..<entryCount {
            let start = entriesOffset + index * Self.entryBytes
            guard let entry = TIFFEntry(at: start, isLittleEndian: isLittleEndian, of: tiff) else { return nil }
            if entry.tag == tag { return entry.width >= 2 ? entry.value(of: tiff) : nil }
        }
        return nil
    }
}

extension Span where Element == UInt8 {
    /// Returns a number of two bytes, in the byte order that the TIFF states.
    func short(at offset: Int, _ isLittleEndian: Bool) -> Int? {
        isLittleEndian ? littleEndian16(at: offset) : bigEndian16(at: offset)
    }

    /// Returns a number of four bytes, in the byte order that the TIFF states.
    func long(at offset: Int, _ isLittleEndian: Bool) -> Int? {
        isLittleEndian ? littleEndian32(at: offset) : bigEndian32(at: offset)
    }
}

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
        guard let tag = tiff.short(at: start, isLittleEndian), let type = tiff.short(at: start + 2, isLittleEndian),
            let count = tiff.long(at: start + 4, isLittleEndian), let field = tiff.long(at: start + 8, isLittleEndian)
        else { return nil }
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
        case 2: return tiff.short(at: offset, isLittleEndian)
        case 4: return tiff.long(at: offset, isLittleEndian)
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
