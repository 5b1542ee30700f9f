/// One image file directory of a TIFF structure, as EXIF blocks use it (TIFF 6.0, section 2).
struct TIFFDirectory: Sendable, Equatable {
    /// A camera writes about 15 entries; the count is two bytes and may be a lie.
    static let mostEntries = 512
    static let entryBytes = 12

    let isLittleEndian: Bool
    /// Offset of the first entry in the block.
    let entriesOffset: Int
    /// Entries that the directory claims, at most `mostEntries`.
    let entryCount: Int

    /// The first directory, or `nil` when the block is no TIFF or the directory lies outside it.
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

    /// The first value of an entry of shorts or longs, or `nil` when it is missing or of another type.
    func number(of tag: Int, in tiff: Span<UInt8>) -> Int? {
        for index in 0..<entryCount {
            let start = entriesOffset + index * Self.entryBytes
            guard let entry = TIFFEntry(at: start, isLittleEndian: isLittleEndian, of: tiff) else { return nil }
            if entry.tag == tag { return entry.width >= 2 ? entry.value(of: tiff) : nil }
        }
        return nil
    }
}
