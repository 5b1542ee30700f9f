/// The entries of a TIFF's first directory, by their tags.
struct TIFFFields {
    private var entries: [Int: TIFFEntry] = [:]
    let isLittleEndian: Bool

    /// - Throws: `truncated` where the directory does not lie in the bytes, `malformed` for entries that are not in the
    ///   order of their tags (FFmpeg takes none), `excessive`.
    init(_ tiff: Span<UInt8>) throws(MediaHeaderError) {
        guard let directory = TIFFDirectory.firstDirectory(of: tiff),
            let count = directory.declaredCount(in: tiff)
        else { throw .truncated("the TIFF, before its directory") }
        guard count <= TIFFDirectory.mostEntries else { throw .excessive("TIFF directory entries") }
        isLittleEndian = directory.isLittleEndian
        var last = 0
        for index in 0..<count {
            let start = directory.entriesOffset + index * TIFFDirectory.entryBytes
            guard let entry = TIFFEntry(at: start, isLittleEndian: isLittleEndian, of: tiff) else {
                throw .truncated("the TIFF directory")
            }
            guard entry.tag > last else { throw .malformed("TIFF directory: tag \(entry.tag) behind \(last)") }
            // FFmpeg lets what follows the byte counts stand before them.
            if entry.tag != TIFFTag.stripByteCounts.rawValue { last = entry.tag }
            entries[entry.tag] = entry
        }
    }

    func entry(_ tag: TIFFTag) -> TIFFEntry? {
        entries[tag.rawValue]
    }

    func has(_ tag: TIFFTag) -> Bool {
        entry(tag) != nil
    }

    /// The value of a tag that has one.
    ///
    /// - Throws: `malformed` where there are others, or none that is a number.
    func number(_ tag: TIFFTag, of tiff: Span<UInt8>) throws(MediaHeaderError) -> Int? {
        guard let entry = entry(tag) else { return nil }
        guard entry.count == 1, let value = entry.value(of: tiff) else { throw .malformed("TIFF tag \(tag.rawValue)") }
        return value
    }

    /// The values of a tag that has a few.
    ///
    /// - Throws: `malformed` where there are none, or more than `limit`.
    func numbers(_ tag: TIFFTag, limit: Int, of tiff: Span<UInt8>) throws(MediaHeaderError) -> [Int]? {
        guard let entry = entry(tag) else { return nil }
        guard (1...limit).contains(entry.count) else { throw .malformed("TIFF tag \(tag.rawValue)") }
        var values: [Int] = []
        for index in 0..<entry.count {
            guard let value = entry.value(index, of: tiff) else { throw .malformed("TIFF tag \(tag.rawValue)") }
            values.append(value)
        }
        return values
    }
}
