/// A TIFF of one directory behind its strips, written entry by entry.
struct SampleTIFF {
    static let short = 3
    static let long = 4

    var isLittleEndian = true
    var version = 42
    /// By their tags: a type and its values. An entry of no values is left out.
    var entries: [Int: (type: Int, values: [Int])]
    var strips: [[UInt8]]
    /// Entries in the order of their tags, unless a test wants another one.
    var order: [Int]?
    /// Of the directory; the true one unless said otherwise.
    var declaredEntries: Int?
    var directoryOffset: Int?

    /// A picture of 4 × 6 pixels, 8-bit RGB in two raw strips unless said otherwise.
    init(bits: [Int] = [8, 8, 8], photometric: Int = 2, compression: Int = 1, changes: [Int: [Int]] = [:]) {
        let rowBytes = (4 * bits.reduce(0, +) + 7) / 8
        strips = [[UInt8](repeating: 5, count: 4 * rowBytes), [UInt8](repeating: 6, count: 2 * rowBytes)]
        entries = [
            256: (Self.short, [4]), 257: (Self.short, [6]), 258: (Self.short, bits), 259: (Self.short, [compression]),
            262: (Self.short, [photometric]), 273: (Self.long, [8, 8 + 4 * rowBytes]),
            277: (Self.short, [bits.count]), 278: (Self.long, [4]), 279: (Self.long, [4 * rowBytes, 2 * rowBytes]),
        ]
        for (tag, values) in changes { entries[tag] = (Self.long, values) }
    }

    private func number(_ value: Int, _ count: Int) -> [UInt8] {
        let little = SampleBMP.little(value, count)
        return isLittleEndian ? little : little.reversed()
    }

    var bytes: [UInt8] {
        let body = strips.flatMap { $0 }
        let listed = (order ?? entries.keys.sorted()).compactMap { tag in entries[tag].map { (tag, $0.type, $0.values) }
        }
        .filter { !$0.2.isEmpty }
        let start = 8 + body.count
        var directory = number(declaredEntries ?? listed.count, 2)
        var tail: [UInt8] = []
        for (tag, type, values) in listed {
            let width = [1: 1, 3: 2, 4: 4, 7: 1, 11: 4][type] ?? 8
            let data = values.flatMap { number($0, width) }
            directory += number(tag, 2) + number(type, 2) + number(values.count, 4)
            if data.count <= 4 {
                directory += data + [UInt8](repeating: 0, count: 4 - data.count)
            } else {
                directory += number(start + 2 + 12 * listed.count + 4 + tail.count, 4)
                tail += data
            }
        }
        return Array((isLittleEndian ? "II" : "MM").utf8) + number(version, 2) + number(directoryOffset ?? start, 4)
            + body + directory + [0, 0, 0, 0] + tail
    }
}
