/// An image file directory of a TIFF structure (TIFF 6.0, section 2). An EXIF block has such a directory.
struct TIFFDirectory: Sendable, Equatable {
    /// The maximum number of entries that are read. A camera writes about 15 entries; the count field has 16 bits and
    /// may be wrong.
    static let mostEntries = 512
    static let entryBytes = 12

    let isLittleEndian: Bool
    /// The offset of the first entry in the block.
    let entriesOffset: Int
    /// The number of entries that the directory states, at most `mostEntries`.
    let entryCount: Int

    /// Returns the first directory; `nil` if the block is no TIFF, or if the directory lies outside the block.
    static func firstDirectory(of tiff: Span<UInt8>) -> TIFFDirectory? {
        let isLittleEndian: Bool
        if tiff.spells("II", at: 0) {
            isLittleEndian = true
        } else if tiff.spells("MM", at: 0) {
            isLittleEndian = false
        } else {
            return nil
        }
        let magic = isLittleEndian ? tiff.littleEndian16(at: 2) : tiff.bigEndian16(at: 2)
        let offset = isLittleEndian ? tiff.littleEndian32(at: 4) : tiff.bigEndian32(at: 4)
        guard magic == 42, let offset, offset >= 8,
            let count = isLittleEndian ? tiff.littleEndian16(at: offset) : tiff.bigEndian16(at: offset)
        else { return nil }
        return TIFFDirectory(
            isLittleEndian: isLittleEndian, entriesOffset: offset + 2, entryCount: min(count, mostEntries))
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
