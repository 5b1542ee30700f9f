/// A TIFF with one directory after its strips or tiles, whose entries a test can change one by one.
package struct SampleTIFF {
    private static let short = 3
    private static let long = 4

    package var isLittleEndian = true
    /// Whether offsets have eight bytes (BigTIFF).
    package var isBig = false
    /// The entries by their tags, each with a type and its values. An entry without values is omitted.
    package var entries: [Int: (type: Int, values: [Int])]
    /// The strips, or the tiles if there is a tag for the width of a tile. The tags with their offsets and sizes are
    /// added.
    package var parts: [[UInt8]]
    /// The order of the tags, if it must differ from the sorted order. A tag may occur twice.
    package var order: [Int]?
    /// The images of the directories that follow.
    package var pages: [SampleTIFF] = []
    /// The offset of the next directory after the last page; 0 is the end.
    package var lastNext = 0

    /// Creates an image of 4 × 6 pixels in 8-bit RGB with two raw strips, unless a parameter differs.
    package init(
        bits: [Int] = [8, 8, 8], photometric: Int = 2, compression: Int = 1, size: (Int, Int) = (4, 6), rows: Int = 4,
        parts: [[UInt8]]? = nil, changes: [Int: [Int]] = [:]
    ) {
        let rowBytes = (size.0 * bits.reduce(0, +) + 7) / 8
        self.parts =
            parts ?? [[UInt8](repeating: 5, count: 4 * rowBytes), [UInt8](repeating: 6, count: 2 * rowBytes)]
        entries = [
            256: (Self.short, [size.0]), 257: (Self.short, [size.1]), 258: (Self.short, bits),
            259: (Self.short, [compression]), 262: (Self.short, [photometric]), 277: (Self.short, [bits.count]),
            278: (Self.short, [rows]),
        ]
        for (tag, values) in changes {
            entries[tag] = (values.contains { $0 > 65_535 } ? Self.long : Self.short, values)
        }
    }

    private func number(_ value: Int, _ count: Int) -> [UInt8] {
        let little = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        return isLittleEndian ? little : little.reversed()
    }

    private var fieldBytes: Int { isBig ? 8 : 4 }
    private var partsCount: Int { parts.reduce(0) { $0 + $1.count } }

    package var bytes: [UInt8] {
        let start = isBig ? 16 : 8
        let version = isBig ? number(43, 2) + number(8, 2) + number(0, 2) : number(42, 2)
        var file = Array((isLittleEndian ? "II" : "MM").utf8) + version + number(start + partsCount, fieldBytes)
        var following = pages[...]
        for var page in [self] + pages {
            (page.isBig, page.isLittleEndian) = (isBig, isLittleEndian)
            file += page.blob(at: file.count, next: following.popFirst()?.partsCount, lastNext: lastNext)
        }
        return file
    }

    /// Returns the bytes of one image with its directory.
    ///
    /// - Parameter start: The offset of the first part.
    /// - Parameter next: The number of bytes between the end and the next directory; `nil` after the last page.
    private func blob(at start: Int, next: Int?, lastNext: Int) -> [UInt8] {
        var (body, places): ([UInt8], [Int]) = ([], [])
        for part in parts {
            places.append(start + body.count)
            body += part
        }
        var entries = entries
        let tags = entries[322] == nil ? (273, 279) : (324, 325)
        if entries[tags.0] == nil { entries[tags.0] = (Self.long, places) }
        if entries[tags.1] == nil { entries[tags.1] = (Self.long, parts.map(\.count)) }
        let listed = (order ?? entries.keys.sorted()).compactMap { tag in
            entries[tag].map { (tag, $0.type, $0.values) }
        }
        .filter { !$0.2.isEmpty }
        let end = start + body.count + (isBig ? 16 + 20 * listed.count : 6 + 12 * listed.count)
        var directory = number(listed.count, isBig ? 8 : 2)
        var tail: [UInt8] = []
        for (tag, type, values) in listed {
            let width = [1: 1, 3: 2, 4: 4, 7: 1, 11: 4][type] ?? 8
            // A rational value consists of two numbers.
            let data = values.flatMap { number($0, type == 5 ? 4 : width) }
            directory += number(tag, 2) + number(type, 2) + number(data.count / width, fieldBytes)
            if data.count <= fieldBytes {
                directory += data + [UInt8](repeating: 0, count: fieldBytes - data.count)
            } else {
                directory += number(end + tail.count, fieldBytes)
                tail += data
            }
        }
        let nextDirectory = next.map { end + tail.count + $0 } ?? lastNext
        return body + directory + number(nextDirectory, fieldBytes) + tail
    }
}
