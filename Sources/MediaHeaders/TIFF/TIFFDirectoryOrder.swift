/// The first directory of a TIFF, with its entries in the order of their tags (TIFF 6.0, section 2).
///
/// Some programs write the entries in another order, or a tag twice. libtiff warns of both, and takes the first of two
/// entries. FFmpeg's decoder takes no such file.
package enum TIFFDirectoryOrder {
    /// Returns the bytes that replace those of the directory from an offset on; `nil` if it is in order.
    package static func correction(of tiff: Span<UInt8>) -> (offset: Int, bytes: [UInt8])? {
        guard let directory = TIFFDirectory.firstDirectory(of: tiff), let count = directory.declaredCount(in: tiff),
            (1...TIFFDirectory.mostEntries).contains(count)
        else { return nil }
        let (start, size) = (directory.entriesOffset, TIFFDirectory.entryBytes)
        guard start + count * size + 4 <= tiff.count else { return nil }
        var tags: [Int] = []
        for index in 0..<count {
            let offset = start + index * size
            guard let entry = TIFFEntry(at: offset, isLittleEndian: directory.isLittleEndian, of: tiff) else {
                return nil
            }
            tags.append(entry.tag)
        }
        guard zip(tags, tags.dropFirst()).contains(where: { $0 >= $1 }) else { return nil }
        var seen: Set<Int> = []
        let kept = tags.indices.filter { seen.insert(tags[$0]).inserted }.sorted { tags[$0] < tags[$1] }
        let number = [UInt8(kept.count & 255), UInt8(kept.count >> 8)]
        var bytes = directory.isLittleEndian ? number : number.reversed()
        for index in kept { bytes += tiff.copy(start + index * size..<start + (index + 1) * size) }
        // The offset of the next directory.
        bytes += tiff.copy(start + count * size..<start + count * size + 4)
        return (start - 2, bytes)
    }
}
